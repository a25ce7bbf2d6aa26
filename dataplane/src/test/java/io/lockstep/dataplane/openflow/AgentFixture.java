package io.lockstep.dataplane.openflow;

import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.model.Protocol;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.EmulatedSwitch;
import io.lockstep.dataplane.network.NetworkOptions;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.dataplane.wire.ManualTime;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import org.projectfloodlight.openflow.protocol.OFErrorMsg;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/** One switch with two hosts, on a clock that moves when told, and builders of its requests. */
final class AgentFixture implements AutoCloseable {
  static final OFFactory OF = ScriptedController.FACTORY;
  static final AgentSettings QUICK =
      new AgentSettings(20, 200, 60_000, 60_000, 100, 60_000, 1 << 20);

  final ManualTime clock = new ManualTime();
  final EmulatedNetwork network;

  AgentFixture(AgentSettings settings, InetSocketAddress... controllers) {
    this(Protocol.OPENFLOW_13, settings, controllers);
  }

  AgentFixture(Protocol protocol, AgentSettings settings, InetSocketAddress... controllers) {
    network =
        new EmulatedNetwork(
            Topologies.linear(1, 2).speaking(protocol, any -> true),
            NetworkOptions.ordinary(List.of(controllers))
                .withClock(clock)
                .withTableEntries(3)
                .withAgent(settings));
    network.start();
  }

  EmulatedSwitch only() {
    return network.switchNamed("s1");
  }

  EmulatedHost host(int number) {
    return network.hostNamed("h" + number);
  }

  static OFFlowAdd.Builder add(int priority, Match match, OFAction... actions) {
    return OF.buildFlowAdd()
        .setTableId(TableId.of(0))
        .setPriority(priority)
        .setCookie(U64.of(priority))
        .setBufferId(OFBufferId.NO_BUFFER)
        .setOutPort(OFPort.ANY)
        .setOutGroup(OFGroup.ANY)
        .setFlags(Set.of())
        .setMatch(match)
        .setInstructions(List.of(OF.instructions().applyActions(List.of(actions))));
  }

  static Match any() {
    return OF.buildMatch().build();
  }

  static OFAction output(OFPort port) {
    return OF.actions().output(port, 0xffff);
  }

  /** Type and code of an error, for instance "BAD_REQUEST IS_SLAVE". */
  static String error(OFMessage message) {
    if (!(message instanceof OFErrorMsg error)) {
      return "no error but " + message.getType();
    }
    byte[] bytes = WireBytes.of(message);
    return error.getErrType() + " " + (((bytes[10] & 0xff) << 8) | (bytes[11] & 0xff));
  }

  @Override
  public void close() {
    network.close();
  }
}
