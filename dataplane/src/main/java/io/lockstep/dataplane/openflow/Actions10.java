package io.lockstep.dataplane.openflow;

import io.lockstep.dataplane.flowtable.FlowTable;
import io.lockstep.dataplane.packet.OxmField;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.projectfloodlight.openflow.protocol.OFActionType;

/** The bitmap of actions of a features reply (OpenFlow 1.0 section 5.3.1). Pure. */
final class Actions10 {
  /** The field that each action sets. */
  private static final Map<OFActionType, OxmField> SETS = new EnumMap<>(OFActionType.class);

  static {
    SETS.put(OFActionType.SET_VLAN_VID, OxmField.VLAN_VID);
    SETS.put(OFActionType.SET_VLAN_PCP, OxmField.VLAN_PCP);
    SETS.put(OFActionType.SET_DL_SRC, OxmField.ETH_SRC);
    SETS.put(OFActionType.SET_DL_DST, OxmField.ETH_DST);
    SETS.put(OFActionType.SET_NW_SRC, OxmField.IPV4_SRC);
    SETS.put(OFActionType.SET_NW_DST, OxmField.IPV4_DST);
    SETS.put(OFActionType.SET_NW_TOS, OxmField.IP_DSCP);
    SETS.put(OFActionType.SET_TP_SRC, OxmField.TCP_SRC);
    SETS.put(OFActionType.SET_TP_DST, OxmField.TCP_DST);
  }

  private Actions10() {}

  /** What the entries of a table can do. */
  static Set<OFActionType> of(FlowTable table) {
    Set<OFActionType> actions = EnumSet.of(OFActionType.OUTPUT, OFActionType.STRIP_VLAN);
    SETS.forEach(
        (action, field) -> {
          if (table.rewrites(field)) {
            actions.add(action);
          }
        });
    return actions;
  }
}
