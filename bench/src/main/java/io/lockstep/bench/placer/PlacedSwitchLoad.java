package io.lockstep.bench.placer;

import io.lockstep.dataplane.flowtable.Action.Output;
import io.lockstep.dataplane.flowtable.FlowEntry;
import io.lockstep.dataplane.flowtable.FlowTable;
import io.lockstep.dataplane.flowtable.Location;
import io.lockstep.dataplane.flowtable.Pipeline;
import io.lockstep.dataplane.flowtable.Pipeline.Origin;
import io.lockstep.dataplane.flowtable.Pipeline.Traversal;
import io.lockstep.dataplane.flowtable.PortNumbers;
import io.lockstep.dataplane.model.SwitchModel;
import io.lockstep.dataplane.network.EmulatedSwitch;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.packet.Packet;
import io.lockstep.dataplane.wire.NetworkClock;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.WeightedRule;
import io.lockstep.placer.profile.LayerKind;
import io.lockstep.placer.profile.LayerProfile;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.HeaderField;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * An emulated switch with a packet for each rule: sends them in proportion to the rules' traffic,
 * and looks which of them hardware treats. The controller sees the switch's counters only. Used by
 * one thread; the switch has its own.
 */
final class PlacedSwitchLoad {
  /** The port by which all packets come. */
  private static final int IN_PORT = 1;

  /** Number of the port that stands for output 0 of a family's rules. */
  static final int FIRST_OUT = 2;

  /** Outputs that a family's rules have. */
  private static final int OUTPUTS = 48;

  private static final int FRAME_OCTETS = 1000;
  private static final String OUTPUT = "output ";
  private static final int NOWHERE = -1;

  private final EmulatedSwitch device;
  private final NetworkClock clock;
  private final SwitchProfile profile;
  private final List<WeightedRule> rules = new ArrayList<>();
  private final List<byte[]> frames = new ArrayList<>();
  private final double[] sums;
  private final Random random;
  private long flowMods;

  /**
   * Prepares a switch that is not connected yet; rules of which no packet is found are left out.
   *
   * @param clock of the switch
   */
  PlacedSwitchLoad(
      EmulatedSwitch device,
      NetworkClock clock,
      SwitchProfile profile,
      List<WeightedRule> wanted,
      long seed) {
    this.device = device;
    this.clock = clock;
    this.profile = profile;
    random = new Random(seed);
    ReferenceProblem problem = new ReferenceProblem(profile, wanted);
    for (int i = 0; i < problem.size(); i++) {
      Map<HeaderField, Long> packet = problem.packet(i);
      if (!packet.isEmpty()) {
        rules.add(problem.rule(i));
        frames.add(frame(packet));
      }
    }
    sums = new double[rules.size()];
    sum();
    device.inspect(this::prepare).join();
  }

  private void sum() {
    double sum = 0;
    for (int i = 0; i < sums.length; i++) {
      sum += rules.get(i).weight();
      sums[i] = sum;
    }
  }

  /** Gives the rules other traffic from now on; what is not among them keeps its own. */
  void weigh(List<WeightedRule> weighted) {
    Map<RuleKey, WeightedRule> byKey = new HashMap<>();
    weighted.forEach(one -> byKey.put(one.rule().key(), one));
    rules.replaceAll(one -> byKey.getOrDefault(one.rule().key(), one));
    sum();
  }

  private SwitchModel prepare(SwitchModel model) {
    model.addPort(IN_PORT, "in", new Mac(IN_PORT), true, clock.nanos());
    for (int port = FIRST_OUT; port < FIRST_OUT + OUTPUTS; port++) {
      model.addPort(port, "out" + port, new Mac(port), true, clock.nanos());
    }
    model.tapFlowMods(
        (mod, tables) -> {
          flowMods++;
          return tables.get();
        });
    return model;
  }

  /** Flow-mods that arrived so far. */
  long flowMods() {
    return device.inspect(model -> flowMods).join();
  }

  /** Units of the TCAM that entries take now. */
  long usedUnits() {
    return device.inspect(this::usedUnits).join();
  }

  private long usedUnits(SwitchModel model) {
    LayerProfile tcam = profile.layers().get(PlacerRun.tcam(profile));
    FlowTable table = model.pipeline().tables().get(tcam.table());
    return table.entries().stream()
        .filter(entry -> entry.location() == Location.HARDWARE)
        .mapToLong(FlowEntry::units)
        .sum();
  }

  /** Sends so many packets, of each rule in proportion to its traffic. */
  void send(int packets) {
    List<byte[]> next = new ArrayList<>();
    for (int i = 0; i < packets; i++) {
      double at = random.nextDouble() * sums[sums.length - 1];
      int found = Arrays.binarySearch(sums, at);
      next.add(frames.get(found < 0 ? Math.min(-found - 1, sums.length - 1) : found));
    }
    device
        .inspect(
            model -> {
              next.forEach(frame -> model.receive(IN_PORT, frame, clock.nanos()));
              return packets;
            })
        .join();
  }

  /**
   * Where the traffic is now.
   *
   * @param added rules that the switch has: packets of others go where those below send them
   */
  Treated treated(Set<RuleKey> added) {
    return device.inspect(model -> treated(model, added)).join();
  }

  /**
   * Where traffic is.
   *
   * @param hardwareTrafficShare of all traffic
   * @param rulesInHardware whose packet hardware treats
   * @param packets that were looked at
   * @param mismatches of them that left by another port than their rule says, though the switch has
   *     that rule; one that comes to the controller is none
   */
  record Treated(
      double hardwareTrafficShare, Set<RuleKey> rulesInHardware, long packets, long mismatches) {
    Treated {
      rulesInHardware = Set.copyOf(rulesInHardware);
    }
  }

  private Treated treated(SwitchModel model, Set<RuleKey> added) {
    double hardware = 0;
    Set<RuleKey> inHardware = new HashSet<>();
    long mismatches = 0;
    for (int i = 0; i < rules.size(); i++) {
      Exit exit = new Exit(model.pipeline());
      model.pipeline().process(new Packet(frames.get(i), IN_PORT), clock.nanos(), exit);
      int port = FIRST_OUT + output(rules.get(i));
      boolean served = exit.port == port;
      boolean refused = !added.contains(rules.get(i).rule().key());
      mismatches += served || refused || exit.port == PortNumbers.CONTROLLER ? 0 : 1;
      if (served && exit.isHardware) {
        hardware += rules.get(i).weight();
        inHardware.add(rules.get(i).rule().key());
      }
    }
    double all = sums.length == 0 ? 0 : sums[sums.length - 1];
    return new Treated(all == 0 ? 0 : hardware / all, inHardware, rules.size(), mismatches);
  }

  /** The number behind {@code output} of a family's treatment. */
  static int output(WeightedRule rule) {
    return Integer.parseInt(rule.rule().treatment().toUtf8().substring(OUTPUT.length()));
  }

  private static byte[] frame(Map<HeaderField, Long> packet) {
    byte[] frame = new byte[FRAME_OCTETS];
    put(frame, 0, 6, 0x0200_0000_0001L);
    put(frame, 6, 6, 0x0200_0000_0002L);
    put(frame, 12, 2, 0x800);
    frame[14] = 0x45;
    put(frame, 15, 1, packet.getOrDefault(HeaderField.IP_DSCP, 0L) << 2);
    put(frame, 16, 2, FRAME_OCTETS - 14);
    frame[22] = 64;
    put(frame, 23, 1, packet.getOrDefault(HeaderField.IP_PROTO, 0L));
    put(frame, 26, 4, packet.getOrDefault(HeaderField.IPV4_SRC, 0L));
    put(frame, 30, 4, packet.getOrDefault(HeaderField.IPV4_DST, 0L));
    put(frame, 34, 2, packet.getOrDefault(HeaderField.L4_SRC, 0L));
    put(frame, 36, 2, packet.getOrDefault(HeaderField.L4_DST, 0L));
    return frame;
  }

  private static void put(byte[] frame, int at, int octets, long value) {
    for (int i = 0; i < octets; i++) {
      frame[at + i] = (byte) (value >>> (8 * (octets - 1 - i)));
    }
  }

  /** Where one packet goes. */
  private final class Exit implements Pipeline.Exit {
    private final Pipeline pipeline;
    private int port = NOWHERE;
    private boolean isHardware;
    private boolean isInProcessor;

    Exit(Pipeline pipeline) {
      this.pipeline = pipeline;
    }

    @Override
    public void output(Packet packet, Output output, Origin origin) {
      port = output.port();
      isHardware =
          !isInProcessor
              && profile.layers().stream()
                  .anyMatch(
                      layer ->
                          layer.table() == origin.tableId() && layer.kind() == LayerKind.HARDWARE);
    }

    @Override
    public void missed(Packet packet, int tableId) {
      port = NOWHERE;
    }

    @Override
    public void toProcessor(Traversal traversal) {
      isInProcessor = true;
      pipeline.resume(traversal, clock.nanos(), this);
    }

    @Override
    public void stuck(Packet packet) {
      port = NOWHERE;
    }

    @Override
    public void invalidTtl(Packet packet, Origin origin) {
      port = NOWHERE;
    }
  }
}
