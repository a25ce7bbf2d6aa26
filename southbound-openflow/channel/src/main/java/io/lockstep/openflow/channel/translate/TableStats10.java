package io.lockstep.openflow.channel.translate;

import io.lockstep.core.southbound.TableClaims;
import io.lockstep.placer.space.HeaderField;
import java.util.List;
import org.projectfloodlight.openflow.protocol.OFTableStatsEntry;

/**
 * What table statistics of OpenFlow 1.0 say of a table (section 5.3.5): every entry has all of the
 * twelve fields, and the wildcards tell which of them it may leave out.
 */
public final class TableStats10 {
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
    Wildcards10.IN_PORT,
    Wildcards10.DL_VLAN,
    Wildcards10.DL_SRC,
    Wildcards10.DL_DST,
    Wildcards10.DL_TYPE,
    Wildcards10.NW_PROTO,
    Wildcards10.TP_SRC,
    Wildcards10.TP_DST,
    Wildcards10.NW_BITS << Wildcards10.NW_SRC_SHIFT,
    Wildcards10.NW_BITS << Wildcards10.NW_DST_SHIFT,
    Wildcards10.DL_VLAN_PCP,
    Wildcards10.NW_TOS
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
    if ((wildcards >>> Wildcards10.NW_SRC_SHIFT & Wildcards10.NW_BITS) == Wildcards10.NW_BITS) {
      prefixes |= HeaderField.IPV4_SRC.bit() | HeaderField.ARP_SPA.bit();
    }
    if ((wildcards >>> Wildcards10.NW_DST_SHIFT & Wildcards10.NW_BITS) == Wildcards10.NW_BITS) {
      prefixes |= HeaderField.IPV4_DST.bit() | HeaderField.ARP_TPA.bit();
    }
    return new TableClaims.Table(
        number, name, maxEntries, matches, 0, prefixes, optional, List.of());
  }
}
