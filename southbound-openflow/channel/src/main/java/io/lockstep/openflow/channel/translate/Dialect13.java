package io.lockstep.openflow.channel.translate;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowRemoved;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PacketOut;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import org.onosproject.net.flow.TrafficTreatment;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/** OpenFlow 1.3. */
record Dialect13(OFFactory factory) implements Dialect {
  @Override
  public boolean hasRoles() {
    return true;
  }

  @Override
  public boolean deletesByCookie() {
    return true;
  }

  @Override
  public OFFlowMod flowMod(FlowMod mod, long xid) throws UntranslatableException {
    return FlowTranslation.toMessage(mod, xid, factory);
  }

  @Override
  public boolean writes(FlowMod mod, long xid, ByteBuf out) {
    return FlowModWriter.write13(mod, xid, out);
  }

  @Override
  public OFMessage flowStatsRequest(long xid) {
    return flowStatsRequest(factory.matchWildcardAll(), OFPort.ANY, 0, 0, xid);
  }

  @Override
  public OFMessage flowStatsRequest(FlowMod delete, long xid) throws UntranslatableException {
    return flowStatsRequest(
        MatchTranslation.toMatch(delete.selector(), factory),
        FlowTranslation.outPort(delete.treatment()),
        delete.cookie(),
        delete.cookieMask(),
        xid);
  }

  private OFMessage flowStatsRequest(
      Match match, OFPort outPort, long cookie, long cookieMask, long xid) {
    return factory
        .buildFlowStatsRequest()
        .setXid(xid)
        .setTableId(TableId.ALL)
        .setOutPort(outPort)
        .setOutGroup(OFGroup.ANY)
        .setCookie(U64.of(cookie))
        .setCookieMask(U64.of(cookieMask))
        .setMatch(match)
        .build();
  }

  @Override
  public FlowStats flowStats(OFFlowStatsEntry entry) throws UntranslatableException {
    return FlowTranslation.toStats(entry);
  }

  @Override
  public FlowRemoved flowRemoved(OFFlowRemoved message) throws UntranslatableException {
    return FlowTranslation.toRemoved(message);
  }

  @Override
  public boolean sayable(PacketOut packetOut) {
    TrafficTreatment treatment = packetOut.treatment();
    if (treatment == null) {
      PacketOutWriter.checkLength(packetOut);
      return true;
    }
    if (ActionWriter.writes(treatment)) {
      PacketOutWriter.checkLength(packetOut, treatment);
      return true;
    }
    try {
      PacketOutWriter.checkLength(packetOut, actions(treatment));
      return true;
    } catch (UntranslatableException e) {
      return false;
    }
  }

  private List<OFAction> actions(TrafficTreatment treatment) throws UntranslatableException {
    return TreatmentTranslation.toPacketActions(treatment, factory);
  }

  @Override
  public ByteBuf packetOut(PacketOut packetOut, int xid, ByteBufAllocator allocator) {
    TrafficTreatment treatment = packetOut.treatment();
    if (treatment == null) {
      return PacketOutWriter.write13(packetOut, xid, allocator);
    }
    if (ActionWriter.writes(treatment)) {
      return PacketOutWriter.write13(packetOut, treatment, xid, allocator);
    }
    try {
      return PacketOutWriter.write13(packetOut, actions(treatment), xid, allocator);
    } catch (UntranslatableException e) {
      throw new IllegalArgumentException("packet-out that cannot be said", e);
    }
  }
}
