package io.lockstep.openflow.channel.translate;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowRemoved;
import io.lockstep.core.southbound.FlowStats;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowModFlags;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFMatchV1;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.U64;

/** Flow-mods, flow statistics and flow-removed messages of OpenFlow 1.0. */
final class FlowTranslation10 {
  /** The one table that a 1.0 switch shows. */
  private static final int ONLY_TABLE = 0;

  /** In deletes: all tables. */
  private static final int ALL_TABLES = 0xff;

  private static final int HIGHEST_PRIORITY = 0xffff;

  private static final Set<OFFlowModFlags> NOTIFY =
      Collections.unmodifiableSet(EnumSet.of(OFFlowModFlags.SEND_FLOW_REM));

  private FlowTranslation10() {}

  /**
   * The flow-mod message (section 5.3.3). A strict delete does not look at the cookie: an entry has
   * its match and priority to itself, and who adds it again takes it over.
   *
   * @throws UntranslatableException naming what OpenFlow 1.0 cannot say or what is out of range
   */
  static OFFlowMod toMessage(FlowMod mod, long xid, OFFactory factory)
      throws UntranslatableException {
    boolean strictDelete = mod.operation() == FlowMod.Operation.DELETE_STRICT;
    boolean delete = strictDelete || mod.operation() == FlowMod.Operation.DELETE;
    if (mod.tableId() != ONLY_TABLE && !(delete && mod.tableId() == ALL_TABLES)) {
      throw new UntranslatableException(
          "table " + mod.tableId() + " cannot be said in OpenFlow 1.0, which shows table 0 only");
    }
    if (mod.cookieMask() != 0 && delete && !strictDelete) {
      throw new UntranslatableException("a delete by cookie cannot be said in OpenFlow 1.0");
    }
    FlowTranslation.checkRanges(mod);
    OFMatchV1 match = MatchTranslation10.toMatch(mod.selector(), factory);
    boolean exact = MatchTranslation10.isExact(match, mod.selector());
    if (!delete && exact && mod.priority() != HIGHEST_PRIORITY) {
      throw new UntranslatableException(
          "priority "
              + mod.priority()
              + " of a match of all fields cannot be said in OpenFlow 1.0, where it wins over all"
              + " others: leave a field out or use priority "
              + HIGHEST_PRIORITY);
    }
    OFFlowMod.Builder message =
        switch (mod.operation()) {
          case ADD -> factory.buildFlowAdd();
          case MODIFY_STRICT -> factory.buildFlowModifyStrict();
          case DELETE -> factory.buildFlowDelete();
          case DELETE_STRICT -> factory.buildFlowDeleteStrict();
        };
    message
        .setXid(xid)
        .setPriority(mod.priority())
        .setCookie(U64.of(mod.cookie()))
        .setIdleTimeout(mod.idleTimeoutSeconds())
        .setHardTimeout(mod.hardTimeoutSeconds())
        .setBufferId(OFBufferId.of((int) mod.bufferId()))
        .setOutPort(delete ? outPort(mod.treatment()) : OFPort.ANY)
        .setMatch(match);
    if (mod.notifyRemoval()) {
      message.setFlags(NOTIFY);
    }
    if (!delete) {
      message.setActions(
          TreatmentTranslation10.toActions(mod.treatment(), mod.selector(), factory));
    }
    return message.build();
  }

  /**
   * The statistics of one entry (section 5.3.5). Actions that onos-api cannot express are {@link
   * FlowStats#INEXPRESSIBLE}.
   *
   * @throws UntranslatableException naming what of the match cannot be expressed
   */
  static FlowStats toStats(OFFlowStatsEntry entry) throws UntranslatableException {
    TrafficSelector selector = MatchTranslation10.toSelector(entry.getMatch());
    return new FlowStats(
        entry.getTableId().getValue(),
        entry.getPriority(),
        entry.getCookie().getValue(),
        entry.getIdleTimeout(),
        entry.getHardTimeout(),
        entry.getDurationSec(),
        entry.getPacketCount().getValue(),
        entry.getByteCount().getValue(),
        selector,
        treatment(entry, selector));
  }

  private static TrafficTreatment treatment(OFFlowStatsEntry entry, TrafficSelector selector) {
    try {
      return TreatmentTranslation10.toTreatment(entry.getActions(), selector);
    } catch (UntranslatableException othersActions) {
      return FlowStats.INEXPRESSIBLE;
    }
  }

  /** A flow-removed message (section 5.4.3), which does not say of which table. */
  static FlowRemoved toRemoved(OFFlowRemoved message) throws UntranslatableException {
    FlowRemoved.Reason reason =
        switch (message.getReason()) {
          case IDLE_TIMEOUT -> FlowRemoved.Reason.IDLE_TIMEOUT;
          case HARD_TIMEOUT -> FlowRemoved.Reason.HARD_TIMEOUT;
          default -> FlowRemoved.Reason.DELETE;
        };
    return new FlowRemoved(
        ONLY_TABLE,
        message.getPriority(),
        message.getCookie().getValue(),
        reason,
        message.getDurationSec(),
        message.getPacketCount().getValue(),
        message.getByteCount().getValue(),
        MatchTranslation10.toSelector(message.getMatch()));
  }

  /** What restricts a delete to entries that send to a port. */
  static OFPort outPort(TrafficTreatment treatment) throws UntranslatableException {
    OFPort port = FlowTranslation.outPort(treatment);
    if (!PortNumbers.in10(PortNumber.portNumber(Integer.toUnsignedLong(port.getPortNumber())))) {
      throw new UntranslatableException("port " + port + " cannot be said in OpenFlow 1.0");
    }
    return port;
  }
}
