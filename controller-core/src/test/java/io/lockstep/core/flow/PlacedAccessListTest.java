package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.oracle.Frame;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.placer.profile.BuiltInProfiles;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.TpPort;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;

/**
 * The entries of a learning switch below an access list, on {@code ovs-small}, with the matches
 * that the node chooses for IPv4 (ADR 0049). They and the list come by arrival; then the traffic
 * decides what is in hardware. {@code -Dplaced.list=N} has N access rules.
 */
class PlacedAccessListTest {
  private static final int LIST = Integer.getInteger("placed.list", 300);
  private static final int PAIRS = 100;
  private static final int PORTS = 48;
  private static final int READINGS = 12;
  private static final long READING_MILLIS = 5_000;
  private static final ApplicationEntries ENTRIES = new ApplicationEntries("learning", 1_000);

  /** A pair of hosts and a packet between them that no access rule matches. */
  private record Pair(TrafficSelector selector, Frame packet) {}

  private final PlacedBench bench =
      new PlacedBench(BuiltInProfiles.get("ovs-small"), new Random(67));

  private Random random = new Random(0);
  private int[] networks = {};
  private final List<TrafficSelector> list = new ArrayList<>();
  private final List<Pair> pairs = new ArrayList<>();

  @AfterEach
  void close() {
    bench.close();
    assertThat(bench.device.wrong()).isEmpty();
  }

  /** An address in one of few networks, the first ones more often. */
  private int address() {
    int network = (int) (networks.length * random.nextDouble() * random.nextDouble());
    return (networks[network] & 0xffff_0000) | random.nextInt(1 << 16);
  }

  private IpPrefix prefix(int shortest) {
    int bits = shortest + random.nextInt(33 - shortest);
    return IpPrefix.valueOf(Ip4Address.valueOf(address()), bits);
  }

  /** As the access lists of the placer's study are drawn, with TCP alone. */
  private TrafficSelector accessRule() {
    DefaultTrafficSelector.Builder rule =
        (DefaultTrafficSelector.Builder)
            DefaultTrafficSelector.builder()
                .matchEthType((short) 0x800)
                .matchIPSrc(prefix(20))
                .matchIPDst(prefix(16));
    if (random.nextDouble() < 0.85) {
      rule.matchIPProtocol((byte) 6);
      if (random.nextDouble() < 0.85) {
        rule.matchTcpDst(TpPort.tpPort(1 + random.nextInt(1024)));
      }
    }
    return rule.build();
  }

  /** Two hosts in the networks of the list; no access rule takes the packet between them. */
  private Pair pair(int number) {
    while (true) {
      Frame packet = new Frame(1 + number % PORTS, address(), address(), random.nextInt(2_048));
      if (list.stream().noneMatch(packet::matches)) {
        TrafficSelector selector =
            DefaultTrafficSelector.builder()
                .matchInPort(PortNumber.portNumber(packet.inPort()))
                .matchEthType((short) 0x800)
                .matchIPSrc(IpPrefix.valueOf(Ip4Address.valueOf(packet.source()), 32))
                .matchIPDst(IpPrefix.valueOf(Ip4Address.valueOf(packet.destination()), 32))
                .build();
        return new Pair(selector, packet);
      }
    }
  }

  private void draw(long seed) {
    random = new Random(seed);
    networks = random.ints((int) Math.sqrt(LIST)).toArray();
    Set<TrafficSelector> seen = new LinkedHashSet<>();
    while (seen.size() < LIST) {
      seen.add(accessRule());
    }
    list.addAll(seen);
    for (int i = 0; i < PAIRS; i++) {
      pairs.add(pair(i));
    }
  }

  private void installList() {
    List<FlowRule> rules = new ArrayList<>();
    for (int i = 0; i < LIST; i++) {
      rules.add(PlacedBench.rule(100 + i, list.get(i), 1 + i % PORTS));
    }
    bench.rules.applyFlowRules(rules.toArray(FlowRule[]::new));
    PlacedBench.await(
        "the list is there",
        () -> rules.stream().allMatch(rule -> bench.stateOf(rule) == FlowEntryState.ADDED));
    bench.settled();
  }

  /** The learning switch installs one entry after the other. */
  private void installPairs() {
    for (Pair pair : pairs) {
      FlowMod entry =
          ENTRIES.add(
              10,
              pair.selector(),
              DefaultTrafficTreatment.builder()
                  .setOutput(PortNumber.portNumber(1 + random.nextInt(PORTS)))
                  .build());
      assertThat(bench.installer.send(bench.connection(), List.of(entry))).isTrue();
      bench.ask(any -> true);
    }
    bench.settled();
  }

  /** Traffic of 1/k for the k-th pair, and a reading; the share of it in hardware. */
  private double reading() {
    bench.clockMillis.addAndGet(READING_MILLIS);
    double share =
        bench.device.with(
            tables -> {
              tables.nowSeconds += READING_MILLIS / 1000;
              double hardware = 0;
              double all = 0;
              for (int i = 0; i < PAIRS; i++) {
                long bytes = (long) (5e6 / (1 + i) * (0.9 + 0.2 * random.nextDouble()));
                hardware += tables.carry(pairs.get(i).packet(), bytes) == 0 ? bytes : 0;
                all += bytes;
              }
              return hardware / all;
            });
    bench.readBack();
    bench.settled();
    return share;
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void learnedEntriesBelowAnAccessListGetTheirTrafficIntoHardware(long seed) {
    draw(seed);
    bench.device.with(
        tables -> {
          tables.limit(0, 128);
          return null;
        });
    bench.device.packets =
        any -> any.nextBoolean() ? pairs.get(any.nextInt(PAIRS)).packet() : Frame.random(any);
    bench.begin();
    installList();
    installPairs();
    int before = bench.device.<Integer>with(tables -> tables.flowMods);
    double share = 0;
    List<String> shares = new ArrayList<>();
    for (int i = 0; i < READINGS; i++) {
      share = reading();
      shares.add(String.format("%.3f", share));
    }
    System.out.printf(
        "seed %d, %d pairs below %d access rules: shares %s, %d flow-mods%n",
        seed, PAIRS, LIST, shares, bench.device.<Integer>with(tables -> tables.flowMods) - before);
    assertThat(share).isGreaterThanOrEqualTo(0.9);
  }
}
