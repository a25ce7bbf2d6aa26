package io.lockstep.dataplane.network;

import io.lockstep.dataplane.openflow.ScriptedController;
import io.lockstep.dataplane.openflow.ScriptedController.Session;
import java.util.List;
import java.util.function.BiConsumer;
import org.projectfloodlight.openflow.protocol.OFFeaturesReply;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPacketIn;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/** Scripts for controllers that make every switch a hub. */
final class Hub {
  private Hub() {}

  /** Each packet goes to the controller, which floods it. */
  static BiConsumer<Session, OFMessage> byPacketOut() {
    return (session, message) -> {
      if (message instanceof OFFeaturesReply) {
        session.send(missEntry(OFPort.CONTROLLER));
      } else if (message instanceof OFPacketIn packetIn) {
        session.send(flood(packetIn));
      }
    };
  }

  /** One entry floods everything. */
  static BiConsumer<Session, OFMessage> byFlowEntry() {
    return (session, message) -> {
      if (message instanceof OFFeaturesReply) {
        session.send(missEntry(OFPort.FLOOD));
      }
    };
  }

  static OFMessage missEntry(OFPort port) {
    List<OFAction> actions = List.of(ScriptedController.FACTORY.actions().output(port, 0xffff));
    return ScriptedController.FACTORY
        .buildFlowAdd()
        .setXid(3)
        .setTableId(TableId.of(0))
        .setPriority(0)
        .setCookie(U64.of(7))
        .setBufferId(OFBufferId.NO_BUFFER)
        .setMatch(ScriptedController.FACTORY.buildMatch().build())
        .setInstructions(List.of(ScriptedController.FACTORY.instructions().applyActions(actions)))
        .build();
  }

  static OFMessage flood(OFPacketIn packetIn) {
    return ScriptedController.FACTORY
        .buildPacketOut()
        .setXid(4)
        .setBufferId(packetIn.getBufferId())
        .setInPort(packetIn.getMatch().get(MatchField.IN_PORT))
        .setActions(List.of(ScriptedController.FACTORY.actions().output(OFPort.FLOOD, 0xffff)))
        .setData(packetIn.getData())
        .build();
  }
}
