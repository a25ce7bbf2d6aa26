package io.lockstep.apps.learningswitch;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketApplication;
import io.lockstep.core.app.PacketView;
import io.lockstep.store.Command;
import io.lockstep.store.TableSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.onlab.packet.VlanId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;

/**
 * The learning switch. Each packet is one question to the store: learn where its source is, tell
 * where its destination is. A known destination gets a flow entry, everything else is flooded along
 * the broadcast tree.
 *
 * <p>An address is learned in the VLAN of the packet's outermost tag, so the same address in two
 * VLANs is two addresses. Flow entries match the tag as the packet has it, or that there is none. A
 * priority-tagged packet (VLAN id 0) is in the VLAN of untagged packets (IEEE 802.1Q-2018 section
 * 9.6), but has flow entries of its own; one with the reserved id 4095 is dropped. Packets are sent
 * on with their tags. The node may narrow the match of an entry ({@link PacketView#match}).
 *
 * <p>Packets that come in beside the tree are copies on a redundant link, or come from a port of
 * which nothing is known yet; they are dropped and nothing is learned from them. Taking over a
 * switch from another node changes nothing: table and flow entries stay right.
 */
public final class LearningSwitch implements PacketApplication {

  /** Its name. */
  public static final String NAME = "learning-switch";

  /** Priority of its flow entries. */
  public static final int PRIORITY = 10;

  /** The tables that it needs, for every client to declare. */
  public static final Map<String, TableSpec> TABLES =
      Map.of(LearnedTable.NAME, TableSpec.values(), LearnedTable.COUNTS, TableSpec.values());

  private static final long MAX_PORT = 0xffff_ff00L;

  /** Not to be sent by any station (IEEE 802.1Q-2018 table 9-2). */
  private static final int RESERVED_VLAN = 0xfff;

  private static final VlanId PRIORITY_TAG = VlanId.vlanId((short) 0);
  private static final TrafficSelector ANY = DefaultTrafficSelector.emptySelector();

  private final Config config;
  private final LearningAccess store;
  private final LearningAccess.Next forward = this::forward;

  /**
   * Settings.
   *
   * @param idleTimeoutSeconds how long a flow entry outlives its last packet; 1 to 65 535
   */
  public record Config(int idleTimeoutSeconds) {
    /** 10 s. */
    public static final Config DEFAULT = new Config(10);

    public Config {
      if (idleTimeoutSeconds < 1 || idleTimeoutSeconds > 0xffff) {
        throw new IllegalArgumentException(
            "idle time-out " + idleTimeoutSeconds + " is not within 1 to 65535 seconds");
      }
    }
  }

  /** A learning switch for all switches. */
  public LearningSwitch(Config config) {
    this(config, LearningAccess.OWN);
  }

  /** One that reaches the store another way. */
  public LearningSwitch(Config config, LearningAccess store) {
    this.config = config;
    this.store = store;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Decision packetIn(PacketView packet, NetworkView network) {
    byte[] frame = packet.frame();
    if (SwitchTable.isGroup(frame, SwitchTable.ADDRESS_BYTES)
        || packet.isSourceDisputed()
        || packet.vlanId() == RESERVED_VLAN
        || !isPhysical(packet.inPort())
        || !network.onBroadcastTree(packet.deviceId(), packet.inPort())) {
      return Decision.DROP;
    }
    int maxAtPort =
        network.isEdge(packet.deviceId(), packet.inPort())
            ? LearnedTable.MAX_AT_EDGE
            : LearnedTable.MAX_AT_LINK;
    int vlan = Math.max(packet.vlanId(), LearnedTable.NO_VLAN);
    return store.learn(packet, network, vlan, maxAtPort, forward);
  }

  private static boolean isPhysical(PortNumber port) {
    return !port.isLogical() && port.toLong() > 0 && port.toLong() <= MAX_PORT;
  }

  private Decision forward(PacketView packet, NetworkView network, LearnInVlan.Result result) {
    List<Instruction> instructions = new ArrayList<>(4);
    if (result.moved()) {
      removeFlowsTo(packet, instructions);
    }
    if (result.full()) {
      instructions.add(new Instruction.ReportFullPort());
    }
    PortNumber egress = PortNumber.portNumber(result.egress());
    if (!result.known() || !network.onBroadcastTree(packet.deviceId(), egress)) {
      instructions.add(new Instruction.Flood());
    } else if (!egress.equals(packet.inPort())) {
      instructions.add(install(packet, network, egress));
      instructions.add(new Instruction.Forward(egress));
    }
    return new Decision.Act(instructions);
  }

  /** Removes the entries that lead to the packet's source in its VLAN. */
  private static void removeFlowsTo(PacketView packet, List<Instruction> instructions) {
    if (packet.vlanId() > LearnedTable.NO_VLAN) {
      instructions.add(new Instruction.RemoveFlows(to(packet, tag(packet))));
    } else {
      instructions.add(new Instruction.RemoveFlows(to(packet, VlanId.NONE)));
      instructions.add(new Instruction.RemoveFlows(to(packet, PRIORITY_TAG)));
    }
  }

  private static TrafficSelector to(PacketView packet, VlanId tag) {
    return DefaultTrafficSelector.builder().matchVlanId(tag).matchEthDst(packet.source()).build();
  }

  /** The id of the packet's outermost tag, or that it has none. */
  private static VlanId tag(PacketView packet) {
    int vlan = packet.vlanId();
    return vlan < 0 ? VlanId.NONE : VlanId.vlanId((short) vlan);
  }

  /**
   * An entry for this source at this port, so that every other one is seen: a host that moved, one
   * that is new, and one with a forged address.
   */
  private Instruction install(PacketView packet, NetworkView network, PortNumber egress) {
    TrafficSelector widest =
        DefaultTrafficSelector.builder()
            .matchInPort(packet.inPort())
            .matchVlanId(tag(packet))
            .matchEthSrc(packet.source())
            .matchEthDst(packet.destination())
            .build();
    return new Instruction.InstallFlow(
        packet.match(widest, network),
        DefaultTrafficTreatment.builder().setOutput(egress).build(),
        PRIORITY,
        config.idleTimeoutSeconds(),
        0);
  }

  /**
   * Forgets first and then removes the flow entries: an entry that a packet before the forgetting
   * still led to is removed with the others.
   */
  @Override
  public Decision networkEvent(NetworkEvent event, NetworkView network) {
    DeviceId device = event.deviceId();
    if (event instanceof NetworkEvent.PortDown down && isPhysical(down.port())) {
      return forget(
          ForgetLearned.atPort(dpid(device), down.port().toLong()),
          Decision.act(new Instruction.RemoveFlowsTo(down.port())));
    }
    if (event instanceof NetworkEvent.TreeChanged) {
      return forget(
          ForgetLearned.all(dpid(device)), Decision.act(new Instruction.RemoveFlows(ANY)));
    }
    if (event instanceof NetworkEvent.TimePassed) {
      return forget(ForgetLearned.aged(dpid(device)), Decision.DROP);
    }
    if (event instanceof NetworkEvent.SourceDisputed disputed) {
      return Decision.act(new Instruction.RemoveFlows(from(disputed)));
    }
    return Decision.PASS;
  }

  /** Forgets in as many calls as it takes. */
  private static Decision forget(Command command, Decision then) {
    return new Decision.Ask(
        command, reply -> ForgetLearned.mayHaveMore(reply) ? forget(command, then) : then);
  }

  /** The entries that carry what comes from the disputed source at its port. */
  private static TrafficSelector from(NetworkEvent.SourceDisputed disputed) {
    return DefaultTrafficSelector.builder()
        .matchInPort(disputed.port())
        .matchEthSrc(disputed.source())
        .build();
  }

  private static long dpid(DeviceId device) {
    return Long.parseUnsignedLong(device.toString().substring("of:".length()), 16);
  }
}
