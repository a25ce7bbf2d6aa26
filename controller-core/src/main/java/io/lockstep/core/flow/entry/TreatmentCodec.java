package io.lockstep.core.flow.entry;

import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.List;
import org.onlab.packet.EthType;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.core.GroupId;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions;
import org.onosproject.net.flow.instructions.Instructions.GroupInstruction;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModEtherInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModVlanHeaderInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModVlanIdInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModVlanPcpInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction.ModDscpInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction.ModIPInstruction;
import org.onosproject.net.flow.instructions.L4ModificationInstruction;
import org.onosproject.net.flow.instructions.L4ModificationInstruction.ModTransportPortInstruction;

/**
 * Treatments as bytes: flags, immediate instructions, deferred instructions, table transition. Each
 * instruction is its code and value; codes are part of the format. Pure and thread-safe.
 */
public final class TreatmentCodec {
  private static final int MAX_INSTRUCTIONS = 256;
  private static final int FLAG_CLEARS_DEFERRED = 1;
  private static final int FLAG_TRANSITION = 2;

  private static final int NO_ACTION = 1;
  private static final int OUTPUT = 2;
  private static final int GROUP = 3;
  private static final int ETH_SRC = 4;
  private static final int ETH_DST = 5;
  private static final int VLAN_ID = 6;
  private static final int VLAN_PCP = 7;
  private static final int VLAN_PUSH = 8;
  private static final int VLAN_POP = 9;
  private static final int IPV4_SRC = 10;
  private static final int IPV4_DST = 11;
  private static final int IPV6_SRC = 12;
  private static final int IPV6_DST = 13;
  private static final int DEC_TTL = 14;
  private static final int IP_DSCP = 15;
  private static final int TCP_SRC = 16;
  private static final int TCP_DST = 17;
  private static final int UDP_SRC = 18;
  private static final int UDP_DST = 19;

  private TreatmentCodec() {}

  /**
   * Writes a treatment.
   *
   * @throws IllegalArgumentException naming the instruction that has no code
   */
  public static void write(TrafficTreatment treatment, ByteWriter out) {
    if (!treatment.meters().isEmpty()) {
      throw unsupported("METER");
    }
    if (treatment.writeMetadata() != null) {
      throw unsupported("METADATA");
    }
    if (treatment.statTrigger() != null) {
      throw unsupported("STAT_TRIGGER");
    }
    Instructions.TableTypeTransition transition = treatment.tableTransition();
    out.int8(
        (treatment.clearedDeferred() ? FLAG_CLEARS_DEFERRED : 0)
            | (transition != null ? FLAG_TRANSITION : 0));
    write(treatment.immediate(), out);
    write(treatment.deferred(), out);
    if (transition != null) {
      out.int8(transition.tableId());
    }
  }

  private static void write(List<Instruction> instructions, ByteWriter out) {
    out.varint(instructions.size());
    instructions.forEach(instruction -> write(instruction, out));
  }

  private static void write(Instruction instruction, ByteWriter out) {
    if (instruction instanceof Instructions.NoActionInstruction) {
      out.int8(NO_ACTION);
    } else if (instruction instanceof OutputInstruction output) {
      SelectorCodec.port(out.int8(OUTPUT), output.port());
    } else if (instruction instanceof GroupInstruction group) {
      out.int8(GROUP).int32(group.groupId().id());
    } else if (instruction instanceof L2ModificationInstruction l2) {
      writeL2(l2, out);
    } else if (instruction instanceof L3ModificationInstruction l3) {
      writeL3(l3, out);
    } else if (instruction instanceof L4ModificationInstruction l4) {
      int code =
          switch (l4.subtype()) {
            case TCP_SRC -> TCP_SRC;
            case TCP_DST -> TCP_DST;
            case UDP_SRC -> UDP_SRC;
            case UDP_DST -> UDP_DST;
          };
      out.int8(code).int16(((ModTransportPortInstruction) l4).port().toInt());
    } else {
      throw unsupported(instruction.type().name());
    }
  }

  private static void writeL2(L2ModificationInstruction l2, ByteWriter out) {
    switch (l2.subtype()) {
      case ETH_SRC -> SelectorCodec.mac(out.int8(ETH_SRC), ((ModEtherInstruction) l2).mac());
      case ETH_DST -> SelectorCodec.mac(out.int8(ETH_DST), ((ModEtherInstruction) l2).mac());
      case VLAN_ID -> out.int8(VLAN_ID).int16(((ModVlanIdInstruction) l2).vlanId().toShort());
      case VLAN_PCP -> out.int8(VLAN_PCP).int8(((ModVlanPcpInstruction) l2).vlanPcp());
      case VLAN_PUSH ->
          out.int8(VLAN_PUSH).int16(((ModVlanHeaderInstruction) l2).ethernetType().toShort());
      case VLAN_POP -> out.int8(VLAN_POP);
      default -> throw unsupported("L2MODIFICATION/" + l2.subtype());
    }
  }

  private static void writeL3(L3ModificationInstruction l3, ByteWriter out) {
    switch (l3.subtype()) {
      case IPV4_SRC -> SelectorCodec.address(out.int8(IPV4_SRC), ((ModIPInstruction) l3).ip());
      case IPV4_DST -> SelectorCodec.address(out.int8(IPV4_DST), ((ModIPInstruction) l3).ip());
      case IPV6_SRC -> SelectorCodec.address(out.int8(IPV6_SRC), ((ModIPInstruction) l3).ip());
      case IPV6_DST -> SelectorCodec.address(out.int8(IPV6_DST), ((ModIPInstruction) l3).ip());
      case DEC_TTL -> out.int8(DEC_TTL);
      case IP_DSCP -> out.int8(IP_DSCP).int8(((ModDscpInstruction) l3).dscp());
      default -> throw unsupported("L3MODIFICATION/" + l3.subtype());
    }
  }

  private static IllegalArgumentException unsupported(String what) {
    return new IllegalArgumentException(
        "instruction " + what + " is not supported in intended rules");
  }

  /** Reads a treatment. */
  public static TrafficTreatment read(ByteReader in) {
    int flags = in.uint8();
    TrafficTreatment.Builder treatment = DefaultTrafficTreatment.builder().immediate();
    readAll(in, treatment);
    treatment.deferred();
    readAll(in, treatment);
    if ((flags & FLAG_CLEARS_DEFERRED) != 0) {
      treatment.wipeDeferred();
    }
    if ((flags & FLAG_TRANSITION) != 0) {
      treatment.transition(in.uint8());
    }
    return treatment.build();
  }

  private static void readAll(ByteReader in, TrafficTreatment.Builder treatment) {
    int count = in.count(MAX_INSTRUCTIONS, 1);
    for (int i = 0; i < count; i++) {
      treatment.add(readOne(in));
    }
  }

  private static Instruction readOne(ByteReader in) {
    int code = in.uint8();
    return switch (code) {
      case NO_ACTION -> Instructions.createNoAction();
      case OUTPUT -> Instructions.createOutput(SelectorCodec.port(in));
      case GROUP -> Instructions.createGroup(GroupId.valueOf(in.int32()));
      case ETH_SRC -> Instructions.modL2Src(SelectorCodec.mac(in));
      case ETH_DST -> Instructions.modL2Dst(SelectorCodec.mac(in));
      case VLAN_ID -> Instructions.modVlanId(VlanId.vlanId((short) in.uint16()));
      case VLAN_PCP -> Instructions.modVlanPcp((byte) in.uint8());
      case VLAN_PUSH -> Instructions.pushVlan(new EthType(in.uint16()));
      case VLAN_POP -> Instructions.popVlan();
      case IPV4_SRC -> Instructions.modL3Src(SelectorCodec.address(in));
      case IPV4_DST -> Instructions.modL3Dst(SelectorCodec.address(in));
      case IPV6_SRC -> Instructions.modL3IPv6Src(SelectorCodec.address(in));
      case IPV6_DST -> Instructions.modL3IPv6Dst(SelectorCodec.address(in));
      case DEC_TTL -> Instructions.decNwTtl();
      case IP_DSCP -> Instructions.modIpDscp((byte) in.uint8());
      case TCP_SRC -> Instructions.modTcpSrc(TpPort.tpPort(in.uint16()));
      case TCP_DST -> Instructions.modTcpDst(TpPort.tpPort(in.uint16()));
      case UDP_SRC -> Instructions.modUdpSrc(TpPort.tpPort(in.uint16()));
      case UDP_DST -> Instructions.modUdpDst(TpPort.tpPort(in.uint16()));
      default -> throw new IllegalArgumentException("unknown instruction code " + code);
    };
  }
}
