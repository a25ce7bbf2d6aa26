package io.lockstep.openflow.channel.translate;

import io.lockstep.core.placer.space.HeaderField;
import io.lockstep.core.southbound.TableClaims;
import java.util.List;
import org.projectfloodlight.openflow.protocol.OFTableStatsEntry;

/**
 * What table statistics of OpenFlow 1.0 say of a table (section 5.3.5): every entry has all of the
 * twelve fields, and the wildcards tell which of them it may leave out.
 */
public final class TableStats10 {
  // ofp_flow_wildcards, section 5.2.3
  private static final int IN_PORT = 1;
  private static final int DL_VLAN = 1 << 1;
  private static final int DL_SRC = 1 << 2;
  private static final int DL_DST = 1 << 3;
  private static final int DL_TYPE = 1 << 4;
  private static final int NW_PROTO = 1 << 5;
  private static final int TP_SRC = 1 << 6;
  private static final int TP_DST = 1 << 7;
  private static final int NW_SRC_SHIFT = 8;
  private static final int NW_DST_SHIFT = 14;
  private static final int NW_BITS = 0x3f;
  private static final int DL_VLAN_PCP = 1 << 20;
  private static final int NW_TOS = 1 << 21;

  /** Fields that stand in for others where there is no IP: they may always be left out. */
  private static final HeaderField[] OTHERS = {
    HeaderField.ICMP_TYPE,
    HeaderField.ICMP_CODE,
    HeaderField.ARP_OP,
    HeaderField.ARP_SPA,
    HeaderField.ARP_TPA
  };

  private static final HeaderField[] FIELDS = {
    HeaderField.IN_PORT,
    HeaderField.VLAN_VID,
    HeaderField.ETH_SRC,
    HeaderField.ETH_DST,
    HeaderField.ETH_TYPE,
    HeaderField.IP_PROTO,
    HeaderField.L4_SRC,
    HeaderField.L4_DST,
    HeaderField.IPV4_SRC,
    HeaderField.IPV4_DST,
    HeaderField.VLAN_PCP,
    HeaderField.IP_DSCP
  };

  private static final int[] WILDCARDS = {
    IN_PORT,
    DL_VLAN,
    DL_SRC,
    DL_DST,
    DL_TYPE,
    NW_PROTO,
    TP_SRC,
    TP_DST,
    NW_BITS << NW_SRC_SHIFT,
    NW_BITS << NW_DST_SHIFT,
    DL_VLAN_PCP,
    NW_TOS
  };

  private TableStats10() {}

  /** The claims of one table. */
  public static TableClaims.Table claims(OFTableStatsEntry entry) {
    return claims(
        entry.getTableId().getValue(),
        entry.getName(),
        entry.getMaxEntries(),
        (int) (long) entry.getWildcards());
  }

  static TableClaims.Table claims(int number, String name, long maxEntries, int wildcards) {
    int matches = 0;
    int optional = 0;
    for (HeaderField other : OTHERS) {
      matches |= other.bit();
      optional |= other.bit();
    }
    for (int i = 0; i < FIELDS.length; i++) {
      matches |= FIELDS[i].bit();
      optional |= (wildcards & WILDCARDS[i]) != 0 ? FIELDS[i].bit() : 0;
    }
    int prefixes = 0;
    if ((wildcards >>> NW_SRC_SHIFT & NW_BITS) == NW_BITS) {
      prefixes |= HeaderField.IPV4_SRC.bit() | HeaderField.ARP_SPA.bit();
    }
    if ((wildcards >>> NW_DST_SHIFT & NW_BITS) == NW_BITS) {
      prefixes |= HeaderField.IPV4_DST.bit() | HeaderField.ARP_TPA.bit();
    }
    return new TableClaims.Table(
        number, name, maxEntries, matches, 0, prefixes, optional, List.of());
  }
}
