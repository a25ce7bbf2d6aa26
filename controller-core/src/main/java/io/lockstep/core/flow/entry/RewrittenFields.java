package io.lockstep.core.flow.entry;

import io.lockstep.placer.space.HeaderField;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction;
import org.onosproject.net.flow.instructions.L4ModificationInstruction;

/**
 * The fields that a treatment sets, a bit of {@link HeaderField} each. Pushing a VLAN header counts
 * as setting its id; removing one, and the time to live, are no fields. Pure and thread-safe.
 */
public final class RewrittenFields {
  /** What the two entries of a balanced connection set. */
  public static final int OF_CONNECTIONS =
      HeaderField.ETH_SRC.bit()
          | HeaderField.ETH_DST.bit()
          | HeaderField.IPV4_SRC.bit()
          | HeaderField.IPV4_DST.bit()
          | HeaderField.L4_SRC.bit()
          | HeaderField.L4_DST.bit();

  private RewrittenFields() {}

  /** The fields of a treatment. */
  public static int of(TrafficTreatment treatment) {
    int fields = 0;
    for (Instruction instruction : treatment.allInstructions()) {
      if (instruction instanceof L2ModificationInstruction l2) {
        fields |= of(l2);
      } else if (instruction instanceof L3ModificationInstruction l3) {
        fields |= of(l3);
      } else if (instruction instanceof L4ModificationInstruction l4) {
        fields |=
            switch (l4.subtype()) {
              case TCP_SRC, UDP_SRC -> HeaderField.L4_SRC.bit();
              case TCP_DST, UDP_DST -> HeaderField.L4_DST.bit();
            };
      }
    }
    return fields;
  }

  /** The fields of a treatment in the bytes of {@link TreatmentCodec}. */
  public static int of(Bytes treatment) {
    return of(TreatmentCodec.read(new ByteReader(treatment)));
  }

  private static int of(L2ModificationInstruction l2) {
    return switch (l2.subtype()) {
      case ETH_SRC -> HeaderField.ETH_SRC.bit();
      case ETH_DST -> HeaderField.ETH_DST.bit();
      case VLAN_ID, VLAN_PUSH -> HeaderField.VLAN_VID.bit();
      case VLAN_PCP -> HeaderField.VLAN_PCP.bit();
      default -> 0;
    };
  }

  private static int of(L3ModificationInstruction l3) {
    return switch (l3.subtype()) {
      case IPV4_SRC -> HeaderField.IPV4_SRC.bit();
      case IPV4_DST -> HeaderField.IPV4_DST.bit();
      case IPV6_SRC -> HeaderField.IPV6_SRC_HIGH.bit() | HeaderField.IPV6_SRC_LOW.bit();
      case IPV6_DST -> HeaderField.IPV6_DST_HIGH.bit() | HeaderField.IPV6_DST_LOW.bit();
      case IP_DSCP -> HeaderField.IP_DSCP.bit();
      default -> 0;
    };
  }
}
