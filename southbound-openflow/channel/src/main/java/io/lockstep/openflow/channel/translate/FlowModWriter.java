package io.lockstep.openflow.channel.translate;

import io.lockstep.core.southbound.FlowMod;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.EthCriterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.onosproject.net.flow.criteria.VlanIdCriterion;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;

/**
 * Writes the flow-mods of new flows (OpenFlow 1.3.5 section 7.3.4.1, 1.0 section 5.3.3) without
 * openflowj's objects in between: an added entry that matches ingress port, addresses and VLAN, and
 * sends to one port. All others go through {@link FlowTranslation}.
 */
final class FlowModWriter {
  private static final int TYPE_FLOW_MOD = 14;
  private static final int MAX_SHORT = 0xffff;
  private static final int ANY = 0xffff_ffff;

  private static final int VERSION_13 = 4;
  private static final int MATCH_AT_13 = 48;
  private static final int MATCH_TYPE_OXM = 1;
  private static final int OXM_IN_PORT = 0x8000_0004;
  private static final int OXM_ETH_DST = 0x8000_0606;
  private static final int OXM_ETH_SRC = 0x8000_0806;
  private static final int OXM_VLAN_VID = 0x8000_0c02;
  private static final int VLAN_PRESENT = 0x1000;
  private static final int APPLY_ACTIONS = 4;
  private static final int APPLY_ACTIONS_BYTES = 24;
  private static final int OUTPUT_BYTES_13 = 16;
  private static final long MAX_PORT_13 = 0xffff_ff00L;

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
    PortNumber port = onlyOutput(mod, MAX_PORT_13);
    if (port == null) {
      return false;
    }
    int start = out.writerIndex();
    out.writeByte(VERSION_13).writeByte(TYPE_FLOW_MOD).writeShort(0).writeInt((int) xid);
    out.writeLong(mod.cookie()).writeLong(mod.cookieMask());
    out.writeByte(mod.tableId()).writeByte(0).writeShort(mod.idleTimeoutSeconds());
    out.writeShort(mod.hardTimeoutSeconds()).writeShort(mod.priority());
    out.writeInt((int) mod.bufferId()).writeInt(ANY).writeInt(ANY).writeInt(0);
    out.writeShort(MATCH_TYPE_OXM).writeShort(0);
    for (Criterion criterion : mod.selector().criteria()) {
      field13(criterion, out);
    }
    int matchBytes = out.writerIndex() - start - MATCH_AT_13;
    out.setShort(start + MATCH_AT_13 + 2, matchBytes);
    out.writeZero(-matchBytes & 7);
    out.writeShort(APPLY_ACTIONS).writeShort(APPLY_ACTIONS_BYTES).writeInt(0);
    out.writeShort(0).writeShort(OUTPUT_BYTES_13).writeInt(PortNumbers.toWire(port));
    out.writeShort(0).writeZero(6);
    out.setShort(start + 2, out.writerIndex() - start);
    return true;
  }

  private static void field13(Criterion criterion, ByteBuf out) {
    switch (criterion.type()) {
      case IN_PORT ->
          out.writeInt(OXM_IN_PORT)
              .writeInt(PortNumbers.toWire(((PortCriterion) criterion).port()));
      case ETH_DST -> mac(((EthCriterion) criterion).mac(), out.writeInt(OXM_ETH_DST));
      case ETH_SRC -> mac(((EthCriterion) criterion).mac(), out.writeInt(OXM_ETH_SRC));
      default -> {
        VlanId vlan = ((VlanIdCriterion) criterion).vlanId();
        out.writeInt(OXM_VLAN_VID);
        out.writeShort(vlan.equals(VlanId.NONE) ? 0 : VLAN_PRESENT | vlan.toShort());
      }
    }
  }

  private static void mac(MacAddress address, ByteBuf out) {
    long number = address.toLong();
    out.writeShort((int) (number >>> 32)).writeInt((int) number);
  }

  /** The same for OpenFlow 1.0. */
  static boolean write10(FlowMod mod, long xid, ByteBuf out) {
    PortNumber port = mod.tableId() == 0 ? onlyOutput(mod, MAX_PORT_10) : null;
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
  private static @Nullable PortNumber onlyOutput(FlowMod mod, long maxPort) {
    List<Instruction> instructions = mod.treatment().allInstructions();
    if (mod.operation() != FlowMod.Operation.ADD
        || mod.notifyRemoval()
        || instructions.size() != 1
        || mod.treatment().immediate().size() != 1
        || !(instructions.get(0) instanceof OutputInstruction output)
        || !isPhysical(output.port(), maxPort)
        || !inRange(mod)) {
      return null;
    }
    for (Criterion criterion : mod.selector().criteria()) {
      if (!isPlain(criterion, maxPort)) {
        return null;
      }
    }
    return output.port();
  }

  private static boolean isPhysical(PortNumber port, long maxPort) {
    return !port.isLogical() && port.toLong() > 0 && port.toLong() <= maxPort;
  }

  private static boolean inRange(FlowMod mod) {
    return (mod.tableId() & ~0xff) == 0
        && ((mod.priority() | mod.idleTimeoutSeconds() | mod.hardTimeoutSeconds()) & ~MAX_SHORT)
            == 0;
  }

  private static boolean isPlain(Criterion criterion, long maxPort) {
    return switch (criterion.type()) {
      case ETH_SRC, ETH_DST -> true;
      case IN_PORT -> isPhysical(((PortCriterion) criterion).port(), maxPort);
      case VLAN_VID -> {
        VlanId vlan = ((VlanIdCriterion) criterion).vlanId();
        yield vlan.equals(VlanId.NONE) || (vlan.toShort() >= 0 && vlan.toShort() < 0xfff);
      }
      default -> false;
    };
  }
}
