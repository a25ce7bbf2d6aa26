package io.lockstep.openflow.channel.translate;

import io.lockstep.core.southbound.FlowMod;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.VlanId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.EthCriterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.onosproject.net.flow.criteria.VlanIdCriterion;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;

/**
 * Writes the flow-mods of new flows and connections (OpenFlow 1.3.5 section 7.3.4.1, 1.0 section
 * 5.3.3) without openflowj's objects in between. In 1.3 they are added entries with fields of
 * {@link MatchFieldWriter} and actions of {@link ActionWriter}; in 1.0 those that match ingress
 * port, addresses and VLAN, and send to one port. All others go through {@link FlowTranslation}.
 */
final class FlowModWriter {
  private static final int TYPE_FLOW_MOD = 14;
  private static final int MAX_SHORT = 0xffff;
  private static final int ANY = 0xffff_ffff;

  private static final int VERSION_13 = 4;
  private static final int MATCH_AT_13 = 48;
  private static final int MATCH_TYPE_OXM = 1;
  private static final int APPLY_ACTIONS = 4;
  private static final int INSTRUCTION_BYTES = 8;

  private static final int VERSION_10 = 1;
  private static final int BYTES_10 = 80;
  private static final int OUTPUT_BYTES_10 = 8;
  private static final int VLAN_NONE_10 = 0xffff;
  private static final long MAX_PORT_10 = 0xfeff;

  private FlowModWriter() {}

  /**
   * Appends the message for OpenFlow 1.3.
   *
   * @param xid the low 32 bits are used
   * @return false, and nothing is appended, where the flow-mod is not as described above
   */
  static boolean write13(FlowMod mod, long xid, ByteBuf out) {
    if (!isPlainAdd(mod) || !ActionWriter.writes(mod.treatment())) {
      return false;
    }
    for (Criterion criterion : mod.selector().criteria()) {
      if (!MatchFieldWriter.writes(criterion)) {
        return false;
      }
    }
    int actionBytes = ActionWriter.length(mod.treatment());
    int mostMatchBytes = mod.selector().criteria().size() * MatchFieldWriter.MOST_BYTES + 11;
    WireBytes message =
        new WireBytes(MATCH_AT_13 + mostMatchBytes + INSTRUCTION_BYTES + actionBytes);
    message.int8(VERSION_13).int8(TYPE_FLOW_MOD).int16(0).int32((int) xid);
    message.int64(mod.cookie()).int64(mod.cookieMask());
    message.int8(mod.tableId()).int8(0).int16(mod.idleTimeoutSeconds());
    message.int16(mod.hardTimeoutSeconds()).int16(mod.priority());
    message.int32((int) mod.bufferId()).int32(ANY).int32(ANY).int32(0);
    message.int16(MATCH_TYPE_OXM).int16(0);
    for (Criterion criterion : mod.selector().criteria()) {
      MatchFieldWriter.write(criterion, message);
    }
    int matchBytes = message.length() - MATCH_AT_13;
    message.set16(MATCH_AT_13 + 2, matchBytes);
    message.zerosTo(message.length() + (-matchBytes & 7));
    message.int16(APPLY_ACTIONS).int16(INSTRUCTION_BYTES + actionBytes).int32(0);
    ActionWriter.write(mod.treatment(), message);
    message.set16(2, message.length());
    out.writeBytes(message.array(), 0, message.length());
    return true;
  }

  /** The same for OpenFlow 1.0. */
  static boolean write10(FlowMod mod, long xid, ByteBuf out) {
    PortNumber port = mod.tableId() == 0 ? onlyOutput10(mod) : null;
    if (port == null) {
      return false;
    }
    out.writeByte(VERSION_10).writeByte(TYPE_FLOW_MOD).writeShort(BYTES_10).writeInt((int) xid);
    match10(mod, out);
    out.writeLong(mod.cookie()).writeShort(0).writeShort(mod.idleTimeoutSeconds());
    out.writeShort(mod.hardTimeoutSeconds()).writeShort(mod.priority());
    out.writeInt((int) mod.bufferId()).writeShort(MAX_SHORT).writeShort(0);
    out.writeShort(0).writeShort(OUTPUT_BYTES_10).writeShort(PortNumbers.toWire(port));
    out.writeShort(0);
    return true;
  }

  private static void match10(FlowMod mod, ByteBuf out) {
    int wildcards = Wildcards10.ALL;
    int inPort = 0;
    long source = 0;
    long destination = 0;
    int vlan = 0;
    for (Criterion criterion : mod.selector().criteria()) {
      switch (criterion.type()) {
        case IN_PORT -> {
          wildcards &= ~Wildcards10.IN_PORT;
          inPort = PortNumbers.toWire(((PortCriterion) criterion).port());
        }
        case ETH_DST -> {
          wildcards &= ~Wildcards10.DL_DST;
          destination = ((EthCriterion) criterion).mac().toLong();
        }
        case ETH_SRC -> {
          wildcards &= ~Wildcards10.DL_SRC;
          source = ((EthCriterion) criterion).mac().toLong();
        }
        default -> {
          wildcards &= ~Wildcards10.DL_VLAN;
          VlanId id = ((VlanIdCriterion) criterion).vlanId();
          vlan = id.equals(VlanId.NONE) ? VLAN_NONE_10 : id.toShort();
        }
      }
    }
    out.writeInt(wildcards).writeShort(inPort);
    out.writeShort((int) (source >>> 32)).writeInt((int) source);
    out.writeShort((int) (destination >>> 32)).writeInt((int) destination);
    out.writeShort(vlan).writeZero(20);
  }

  /** The port that the entry sends to; null where the flow-mod is another one. */
  private static @Nullable PortNumber onlyOutput10(FlowMod mod) {
    List<Instruction> instructions = mod.treatment().allInstructions();
    if (!isPlainAdd(mod)
        || instructions.size() != 1
        || mod.treatment().immediate().size() != 1
        || !(instructions.get(0) instanceof OutputInstruction output)
        || !MatchFieldWriter.isPhysical(output.port(), MAX_PORT_10)) {
      return null;
    }
    for (Criterion criterion : mod.selector().criteria()) {
      if (!isPlain10(criterion)) {
        return null;
      }
    }
    return output.port();
  }

  private static boolean isPlainAdd(FlowMod mod) {
    return mod.operation() == FlowMod.Operation.ADD && !mod.notifyRemoval() && inRange(mod);
  }

  private static boolean inRange(FlowMod mod) {
    return (mod.tableId() & ~0xff) == 0
        && ((mod.priority() | mod.idleTimeoutSeconds() | mod.hardTimeoutSeconds()) & ~MAX_SHORT)
            == 0;
  }

  private static boolean isPlain10(Criterion criterion) {
    return switch (criterion.type()) {
      case ETH_SRC, ETH_DST -> true;
      case IN_PORT -> MatchFieldWriter.isPhysical(((PortCriterion) criterion).port(), MAX_PORT_10);
      case VLAN_VID -> MatchFieldWriter.isOneVlan(((VlanIdCriterion) criterion).vlanId());
      default -> false;
    };
  }
}
