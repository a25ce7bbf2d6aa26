package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.SwitchFeatures;
import io.lockstep.core.southbound.TableClaims;
import io.lockstep.openflow.codec.OpenFlowVersions;
import io.lockstep.placer.space.HeaderField;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.protocol.OFActionType;
import org.projectfloodlight.openflow.protocol.OFDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFeaturesReply;
import org.projectfloodlight.openflow.protocol.OFVersion;

/** What a switch says of itself in its handshake, in the node's type. */
final class Introduction {
  private Introduction() {}

  /** What OpenFlow 1.0 needs to rewrite packets (section 5.3.1, the bitmap of actions). */
  private static final Set<OFActionType> REWRITING =
      EnumSet.of(
          OFActionType.SET_DL_SRC,
          OFActionType.SET_DL_DST,
          OFActionType.SET_NW_SRC,
          OFActionType.SET_NW_DST,
          OFActionType.SET_TP_SRC,
          OFActionType.SET_TP_DST);

  private static final Map<OFActionType, HeaderField> FIELDS =
      Map.of(
          OFActionType.SET_DL_SRC, HeaderField.ETH_SRC,
          OFActionType.SET_DL_DST, HeaderField.ETH_DST,
          OFActionType.SET_VLAN_VID, HeaderField.VLAN_VID,
          OFActionType.SET_VLAN_PCP, HeaderField.VLAN_PCP,
          OFActionType.SET_NW_SRC, HeaderField.IPV4_SRC,
          OFActionType.SET_NW_DST, HeaderField.IPV4_DST,
          OFActionType.SET_NW_TOS, HeaderField.IP_DSCP,
          OFActionType.SET_TP_SRC, HeaderField.L4_SRC,
          OFActionType.SET_TP_DST, HeaderField.L4_DST);

  /** What the switch says of its tables, with what its features say of its actions. */
  static TableClaims claims(OFFeaturesReply features, TableClaims claims) {
    return features.getVersion() == OFVersion.OF_10
        ? claims.withRewrites(
            rewrites(features.getActions()), features.getActions().containsAll(REWRITING))
        : claims;
  }

  /** The fields that these actions set, a bit each; 1.0 knows no others. */
  private static int rewrites(Set<OFActionType> actions) {
    int fields = 0;
    for (Map.Entry<OFActionType, HeaderField> sets : FIELDS.entrySet()) {
      fields |= actions.contains(sets.getKey()) ? sets.getValue().bit() : 0;
    }
    return fields;
  }

  /**
   * Puts the answers of a switch together.
   *
   * @param description null where the switch refused to describe itself
   */
  static SwitchFeatures of(
      OFFactory agreed,
      String peer,
      OFFeaturesReply features,
      @Nullable OFDescStatsReply description) {
    return new SwitchFeatures(
        OpenFlowVersions.name(agreed.getVersion().getWireVersion()),
        peer,
        description == null ? "" : description.getMfrDesc(),
        description == null ? "" : description.getHwDesc(),
        description == null ? "" : description.getSwDesc(),
        description == null ? "" : description.getSerialNum(),
        description == null ? "" : description.getDpDesc(),
        features.getNBuffers(),
        features.getNTables());
  }
}
