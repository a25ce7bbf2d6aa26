package io.lockstep.openflow.channel.translate;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowRemoved;
import io.lockstep.core.southbound.FlowStats;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowModFlags;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/** Flow entries between the node's records and OpenFlow's messages. */
public final class FlowTranslation {
  private static final int MAX_SHORT = 0xffff;
  private static final Set<OFFlowModFlags> NOTIFY =
      Collections.unmodifiableSet(EnumSet.of(OFFlowModFlags.SEND_FLOW_REM));

  private FlowTranslation() {}

  /**
   * The flow-mod message (OpenFlow 1.3.5 section 7.3.4.1). For deletes the treatment's first output
   * restricts to entries that send there.
   *
   * @param xid unsigned 32-bit
   * @throws UntranslatableException naming what is not supported or out of range
   */
  public static OFFlowMod toMessage(FlowMod mod, long xid, OFFactory factory)
      throws UntranslatableException {
    checkRanges(mod);
    boolean delete = false;
    OFFlowMod.Builder message =
        switch (mod.operation()) {
          case ADD -> factory.buildFlowAdd();
          case MODIFY_STRICT -> factory.buildFlowModifyStrict();
          case DELETE -> factory.buildFlowDelete();
          case DELETE_STRICT -> factory.buildFlowDeleteStrict();
        };
    if (mod.operation() == FlowMod.Operation.DELETE
        || mod.operation() == FlowMod.Operation.DELETE_STRICT) {
      delete = true;
    }
    message
        .setXid(xid)
        .setTableId(TableId.of(mod.tableId()))
        .setPriority(mod.priority())
        .setCookie(U64.of(mod.cookie()))
        .setCookieMask(U64.of(mod.cookieMask()))
        .setIdleTimeout(mod.idleTimeoutSeconds())
        .setHardTimeout(mod.hardTimeoutSeconds())
        .setBufferId(OFBufferId.of((int) mod.bufferId()))
        .setOutPort(delete ? outPort(mod.treatment()) : OFPort.ANY)
        .setOutGroup(OFGroup.ANY)
        .setMatch(MatchTranslation.toMatch(mod.selector(), factory));
    if (mod.notifyRemoval()) {
      message.setFlags(NOTIFY);
    }
    if (!delete) {
      message.setInstructions(TreatmentTranslation.toInstructions(mod.treatment(), factory));
    }
    return message.build();
  }

  /**
   * The statistics of one entry (section 7.3.5.2). Actions that onos-api cannot express are {@link
   * FlowStats#INEXPRESSIBLE}.
   *
   * @throws UntranslatableException naming what of the match cannot be expressed
   */
  public static FlowStats toStats(OFFlowStatsEntry entry) throws UntranslatableException {
    return new FlowStats(
        entry.getTableId().getValue(),
        entry.getPriority(),
        entry.getCookie().getValue(),
        entry.getIdleTimeout(),
        entry.getHardTimeout(),
        entry.getDurationSec(),
        entry.getPacketCount().getValue(),
        entry.getByteCount().getValue(),
        MatchTranslation.toSelector(entry.getMatch()),
        treatment(entry));
  }

  private static TrafficTreatment treatment(OFFlowStatsEntry entry) {
    try {
      return TreatmentTranslation.toTreatment(entry.getInstructions());
    } catch (UntranslatableException othersActions) {
      return FlowStats.INEXPRESSIBLE;
    }
  }

  /** A flow-removed message (section 7.4.2). */
  public static FlowRemoved toRemoved(OFFlowRemoved message) throws UntranslatableException {
    FlowRemoved.Reason reason =
        switch (message.getReason()) {
          case IDLE_TIMEOUT -> FlowRemoved.Reason.IDLE_TIMEOUT;
          case HARD_TIMEOUT -> FlowRemoved.Reason.HARD_TIMEOUT;
          case GROUP_DELETE -> FlowRemoved.Reason.GROUP_DELETE;
          default -> FlowRemoved.Reason.DELETE;
        };
    return new FlowRemoved(
        message.getTableId().getValue(),
        message.getPriority(),
        message.getCookie().getValue(),
        reason,
        message.getDurationSec(),
        message.getPacketCount().getValue(),
        message.getByteCount().getValue(),
        MatchTranslation.toSelector(message.getMatch()));
  }

  /** The port that a delete is restricted to, or ANY. */
  static OFPort outPort(TrafficTreatment treatment) {
    for (Instruction instruction : treatment.allInstructions()) {
      if (instruction instanceof Instructions.OutputInstruction output) {
        return OFPort.of(PortNumbers.toWire(output.port()));
      }
    }
    return OFPort.ANY;
  }

  /** Refuses numbers that have no room in a flow-mod. */
  static void checkRanges(FlowMod mod) throws UntranslatableException {
    checkRange("table", mod.tableId(), 0xff);
    checkRange("priority", mod.priority(), MAX_SHORT);
    checkRange("idle time-out", mod.idleTimeoutSeconds(), MAX_SHORT);
    checkRange("hard time-out", mod.hardTimeoutSeconds(), MAX_SHORT);
  }

  private static void checkRange(String what, int value, int max) throws UntranslatableException {
    if (value < 0 || value > max) {
      throw new UntranslatableException(what + " " + value + " is not in 0.." + max);
    }
  }
}
