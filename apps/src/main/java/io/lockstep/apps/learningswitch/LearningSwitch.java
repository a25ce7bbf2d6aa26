package io.lockstep.apps.learningswitch;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketApplication;
import io.lockstep.core.app.PacketView;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 * <p>Packets that come in beside the tree are copies on a redundant link, or come from a port of
 * which nothing is known yet; they are dropped and nothing is learned from them. Taking over a
 * switch from another node changes nothing: table and flow entries stay right.
 */
public final class LearningSwitch implements PacketApplication {

  /** Priority of its flow entries. */
  public static final int PRIORITY = 10;

  /** The tables that it needs, for every client to declare. */
  public static final Map<String, TableSpec> TABLES = Map.of(SwitchTable.NAME, TableSpec.values());

  private static final long MAX_PORT = 0xffff_ff00L;
  private static final TrafficSelector ANY = DefaultTrafficSelector.emptySelector();

  private final Config config;

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
    this.config = config;
  }

  @Override
  public String name() {
    return "learning-switch";
  }

  @Override
  public Decision packetIn(PacketView packet, NetworkView network) {
    byte[] frame = packet.frame();
    if (SwitchTable.isGroup(frame, SwitchTable.ADDRESS_BYTES)
        || packet.isSourceDisputed()
        || !isPhysical(packet.inPort())
        || !network.onBroadcastTree(packet.deviceId(), packet.inPort())) {
      return Decision.DROP;
    }
    Command command = LearnAndForward.command(packet.dpid(), packet.inPort().toLong(), frame);
    return new Decision.Ask(command, reply -> forward(packet, network, reply));
  }

  private static boolean isPhysical(PortNumber port) {
    return !port.isLogical() && port.toLong() > 0 && port.toLong() <= MAX_PORT;
  }

  private Decision forward(PacketView packet, NetworkView network, Reply reply) {
    if (!(reply instanceof Reply.Returned returned)) {
      return Decision.DROP;
    }
    LearnAndForward.Result result = LearnAndForward.Result.of(returned.result());
    List<Instruction> instructions = new ArrayList<>(3);
    if (result.moved()) {
      instructions.add(new Instruction.RemoveFlows(to(packet)));
    }
    PortNumber egress = PortNumber.portNumber(result.egress());
    if (!result.known() || !network.onBroadcastTree(packet.deviceId(), egress)) {
      instructions.add(new Instruction.Flood());
    } else if (!egress.equals(packet.inPort())) {
      instructions.add(install(packet, egress));
      instructions.add(new Instruction.Forward(egress));
    }
    return new Decision.Act(instructions);
  }

  /** The entries that lead to the packet's source. */
  private static TrafficSelector to(PacketView packet) {
    return DefaultTrafficSelector.builder().matchEthDst(packet.source()).build();
  }

  private Instruction install(PacketView packet, PortNumber egress) {
    TrafficSelector selector =
        DefaultTrafficSelector.builder()
            .matchInPort(packet.inPort())
            .matchEthSrc(packet.source())
            .matchEthDst(packet.destination())
            .build();
    return new Instruction.InstallFlow(
        selector,
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
      return new Decision.Ask(
          ForgetPorts.command(dpid(device), down.port().toLong()),
          reply -> Decision.act(new Instruction.RemoveFlowsTo(down.port())));
    }
    if (event instanceof NetworkEvent.TreeChanged) {
      return new Decision.Ask(
          ForgetPorts.command(dpid(device)),
          reply -> Decision.act(new Instruction.RemoveFlows(ANY)));
    }
    if (event instanceof NetworkEvent.SourceDisputed disputed) {
      return Decision.act(new Instruction.RemoveFlows(from(disputed)));
    }
    return Decision.PASS;
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
