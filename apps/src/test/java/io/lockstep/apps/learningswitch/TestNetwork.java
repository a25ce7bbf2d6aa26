package io.lockstep.apps.learningswitch;

import io.lockstep.apps.Applications;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketView;
import io.lockstep.core.flow.MatchChoice;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.codec.Request;
import io.lockstep.store.core.StoreStateMachine;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.MacAddress;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.EthCriterion;
import org.onosproject.net.flow.criteria.EthTypeCriterion;
import org.onosproject.net.flow.criteria.IPCriterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.onosproject.net.flow.criteria.VlanIdCriterion;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;

/**
 * Switches with the flow entries of one learning switch, cables between them, and the store's real
 * state machine. Packets run to their end at once.
 */
final class TestNetwork {
  /** A place where a packet can be. */
  record Port(long dpid, long port) {}

  /** A packet that left the switches at a port without a cable. */
  record Arrival(Port at, byte[] frame) {}

  private record Flow(TrafficSelector selector, long out) {
    boolean matches(long inPort, byte[] frame) {
      return port(selector) == inPort
          && isTaggedAs(selector, vlan(frame))
          && isOfType(selector, frame)
          && isAddressed(selector, Criterion.Type.IPV4_SRC, frame, 12)
          && isAddressed(selector, Criterion.Type.IPV4_DST, frame, 16)
          && Arrays.equals(frame, 0, 6, mac(selector, Criterion.Type.ETH_DST), 0, 6)
          && Arrays.equals(frame, 6, 12, mac(selector, Criterion.Type.ETH_SRC), 0, 6);
    }

    /** Without the criterion a tag does not matter; VlanId.NONE is a frame without one. */
    private static boolean isTaggedAs(TrafficSelector selector, int vlan) {
      return !(selector.getCriterion(Criterion.Type.VLAN_VID) instanceof VlanIdCriterion wanted)
          || wanted.vlanId().toShort() == vlan;
    }

    private static boolean isOfType(TrafficSelector selector, byte[] frame) {
      return !(selector.getCriterion(Criterion.Type.ETH_TYPE) instanceof EthTypeCriterion wanted)
          || wanted.ethType().toShort() == ByteBuffer.wrap(frame).getShort(typeAt(frame));
    }

    private static boolean isAddressed(
        TrafficSelector selector, Criterion.Type type, byte[] frame, int at) {
      return !(selector.getCriterion(type) instanceof IPCriterion wanted)
          || wanted.ip().getIp4Prefix().address().toInt()
              == ByteBuffer.wrap(frame).getInt(typeAt(frame) + 2 + at);
    }

    private static int typeAt(byte[] frame) {
      return vlan(frame) < 0 ? 12 : 16;
    }

    private static long port(TrafficSelector selector) {
      return selector.getCriterion(Criterion.Type.IN_PORT) instanceof PortCriterion in
          ? in.port().toLong()
          : -1;
    }

    private static byte[] mac(TrafficSelector selector, Criterion.Type type) {
      return selector.getCriterion(type) instanceof EthCriterion eth
          ? eth.mac().toBytes()
          : new byte[6];
    }
  }

  final Map<Port, Port> cables = new HashMap<>();
  final List<Arrival> arrivals = new ArrayList<>();
  final List<Long> packetIns = new ArrayList<>();

  /** Ports that the application reported as full since the last frame was sent. */
  final List<Port> reports = new ArrayList<>();

  NetworkView view;
  int hops;

  /** How the node narrows matches of entries. */
  MatchChoice matches = MatchChoice.AS_ASKED;

  /** Whether the node disputes the source of what is sent now. */
  boolean disputed;

  private final LearningSwitch application = new LearningSwitch(LearningSwitch.Config.DEFAULT);
  private final StoreStateMachine store = new StoreStateMachine(Applications.microComponents());
  private final long session;
  private final Map<Long, List<Flow>> flows = new HashMap<>();
  private final Queue<Arrival> moving = new ArrayDeque<>();
  private long operationId;
  private long nowMillis = 1_000_000;

  TestNetwork(NetworkView view) {
    this.view = view;
    Request open =
        new Request(
            0, 0, List.of(new Request.Operation(0, new Command.OpenSession(1, "test", 600_000))));
    session =
        store.apply(nowMillis, open).replies().get(0) instanceof Reply.SessionOpened opened
            ? opened.sessionId()
            : -1;
    Applications.tables().forEach((name, spec) -> store(new Command.CreateTable(name, spec)));
  }

  Reply store(Command command) {
    Request request =
        new Request(session, 0, List.of(new Request.Operation(++operationId, command)));
    return store.apply(nowMillis, request).replies().get(0);
  }

  /** Lets the store's time pass, which goes on by half a second with each batch at most. */
  void passSeconds(int seconds) {
    for (int i = 0; i < 2 * seconds; i++) {
      nowMillis += 500;
      store(new Command.Get(LearnedTable.NAME, Bytes.utf8("none")));
    }
  }

  static byte[] frame(long destination, long source) {
    byte[] frame = new byte[60];
    for (int i = 0; i < 6; i++) {
      frame[i] = (byte) (destination >>> (40 - 8 * i));
      frame[6 + i] = (byte) (source >>> (40 - 8 * i));
    }
    frame[12] = 8;
    return frame;
  }

  /** An IPv4 packet. */
  static byte[] ipv4(long destination, long source, int ipTo, int ipFrom) {
    byte[] frame = frame(destination, source);
    ByteBuffer.wrap(frame).put(14, (byte) 0x45).putInt(26, ipFrom).putInt(30, ipTo);
    return frame;
  }

  /** The frame with a tag, whose id is 0 to 4095. */
  static byte[] tagged(byte[] frame, int vlan) {
    return ByteBuffer.allocate(frame.length + 4)
        .put(frame, 0, 12)
        .putShort((short) 0x8100)
        .putShort((short) vlan)
        .put(frame, 12, frame.length - 12)
        .array();
  }

  /** The id of the frame's tag, or -1. */
  static int vlan(byte[] frame) {
    ByteBuffer bytes = ByteBuffer.wrap(frame);
    return bytes.getShort(12) == (short) 0x8100 ? bytes.getShort(14) & 0xfff : -1;
  }

  static DeviceId device(long dpid) {
    return DeviceId.deviceId(String.format("of:%016x", dpid));
  }

  /** A host sends a frame; where it ends up is in {@link #arrivals}. */
  void send(long dpid, long port, long destination, long source) {
    send(dpid, port, frame(destination, source));
  }

  /** The same in a VLAN. */
  void sendTagged(long dpid, long port, int vlan, long destination, long source) {
    send(dpid, port, tagged(frame(destination, source), vlan));
  }

  /** The same with any frame. */
  void send(long dpid, long port, byte[] frame) {
    arrivals.clear();
    packetIns.clear();
    reports.clear();
    moving.add(new Arrival(new Port(dpid, port), frame));
    Arrival next;
    while ((next = moving.poll()) != null) {
      if (++hops > 10_000) {
        throw new AssertionError("the packet loops");
      }
      enter(next);
    }
  }

  List<Port> arrivedAt() {
    return arrivals.stream().map(Arrival::at).toList();
  }

  int flowCount(long dpid) {
    return flows.getOrDefault(dpid, List.of()).size();
  }

  void clearFlows() {
    flows.clear();
  }

  void tell(NetworkEvent event) {
    run(
        Long.parseUnsignedLong(event.deviceId().toString().substring(3), 16),
        null,
        application.networkEvent(event, view));
  }

  private void enter(Arrival arrival) {
    long dpid = arrival.at().dpid();
    for (Flow flow : flows.getOrDefault(dpid, List.of())) {
      if (flow.matches(arrival.at().port(), arrival.frame())) {
        leave(dpid, flow.out(), arrival.frame());
        return;
      }
    }
    packetIns.add(dpid);
    Packet packet = new Packet(dpid, arrival.at().port(), arrival.frame(), disputed, matches);
    run(dpid, packet, application.packetIn(packet, view));
  }

  private void leave(long dpid, long port, byte[] frame) {
    Port out = new Port(dpid, port);
    Port next = cables.get(out);
    if (next == null) {
      arrivals.add(new Arrival(out, frame));
    } else {
      moving.add(new Arrival(next, frame));
    }
  }

  private void run(long dpid, @Nullable Packet packet, Decision decision) {
    if (decision instanceof Decision.Ask ask) {
      run(dpid, packet, ask.then().apply(store(ask.command())));
    } else if (decision instanceof Decision.Act act) {
      act.instructions().forEach(instruction -> carryOut(dpid, packet, instruction));
    }
  }

  private void carryOut(long dpid, @Nullable Packet packet, Instruction instruction) {
    List<Flow> table = flows.computeIfAbsent(dpid, d -> new ArrayList<>());
    if (instruction instanceof Instruction.InstallFlow install) {
      long out = ((OutputInstruction) install.treatment().allInstructions().get(0)).port().toLong();
      table.add(new Flow(install.selector(), out));
    } else if (instruction instanceof Instruction.RemoveFlows remove) {
      table.removeIf(flow -> flow.selector().criteria().containsAll(remove.selector().criteria()));
    } else if (instruction instanceof Instruction.RemoveFlowsTo remove) {
      table.removeIf(flow -> flow.out() == remove.port().toLong());
    } else if (packet != null && instruction instanceof Instruction.ReportFullPort) {
      reports.add(new Port(dpid, packet.port()));
    } else if (packet != null && instruction instanceof Instruction.Forward forward) {
      leave(dpid, forward.port().toLong(), packet.frame());
    } else if (packet != null && instruction instanceof Instruction.Flood) {
      for (PortNumber port : view.floodPorts(device(dpid), packet.inPort())) {
        leave(dpid, port.toLong(), packet.frame());
      }
    }
  }

  private record Packet(
      long dpid, long port, byte[] frame, boolean isSourceDisputed, MatchChoice matches)
      implements PacketView {
    @Override
    public TrafficSelector match(TrafficSelector widest, NetworkView network) {
      return matches.choose(widest, this, network);
    }

    @Override
    public DeviceId deviceId() {
      return device(dpid);
    }

    @Override
    public PortNumber inPort() {
      return PortNumber.portNumber(port);
    }

    @Override
    public MacAddress source() {
      return MacAddress.valueOf(Arrays.copyOfRange(frame, 6, 12));
    }

    @Override
    public MacAddress destination() {
      return MacAddress.valueOf(Arrays.copyOf(frame, 6));
    }

    @Override
    public int etherType() {
      return ByteBuffer.wrap(frame).getShort(12) & 0xffff;
    }

    @Override
    public int vlanId() {
      return TestNetwork.vlan(frame);
    }
  }
}
