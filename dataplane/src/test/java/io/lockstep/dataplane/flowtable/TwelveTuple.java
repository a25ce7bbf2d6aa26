package io.lockstep.dataplane.flowtable;

import io.lockstep.dataplane.packet.OxmField;
import java.util.List;

/**
 * Matches like those of Table 2 of "Performance Analysis of SDN Switches with Hardware and Software
 * Flow Tables" (Rygielski et al., 2016), and its numbers.
 */
public final class TwelveTuple {
  /** Row 1 first. */
  static final List<OxmField> ROWS =
      List.of(
          OxmField.IN_PORT,
          OxmField.VLAN_VID,
          OxmField.VLAN_PCP,
          OxmField.ETH_SRC,
          OxmField.ETH_DST,
          OxmField.ETH_TYPE,
          OxmField.IP_DSCP,
          OxmField.IPV4_SRC,
          OxmField.IPV4_DST,
          OxmField.IP_PROTO,
          OxmField.TCP_SRC,
          OxmField.TCP_DST);

  /** The columns; that of the 5700's mac-ip table is from the prose. */
  static final List<Column> COLUMNS =
      List.of(
          new Column("2920", 0, 460, 460, 460, 0, 0, 460, 460, 460, 460, 460, 460, 460),
          new Column("3500yl-1.0", 0, 381, 381, 0, 0, 0, 1526, 1526, 1526, 1526, 1526, 1526, 1526),
          new Column("3500yl-1.3", 0, 0, 0, 0, 0, 0, 1526, 1526, 1526, 1526, 1526, 1526, 1526),
          new Column("5130", 1, 384, 384, 384, 384, 384, 384, 512, 512, 512, 512, 512, 512),
          new Column("5130", 0, 0, 0, 0, 0, 16000, 16000, 0, 0, 16000, 0, 0, 0),
          new Column("5700", 1, 640, 640, 640, 640, 640, 512, 512, 512, 512, 512, 512, 512),
          new Column("5700", 0, 0, 0, 0, 0, 65535, 65535, 0, 0, 65535, 0, 0, 0));

  private TwelveTuple() {}

  /** The match of a row, with the fields up to it that the column's table can take. */
  static FlowMatch match(Column column, int row, int number) {
    FlowMatch.Builder match = FlowMatch.builder();
    for (int i = 0; i < row; i++) {
      if (i == row - 1 || column.cells[i] > 0) {
        set(match, ROWS.get(i), number);
      }
    }
    return withPrerequisites(match.build(), match, number);
  }

  /** A row whose cell is 0 asks for a field whose prerequisites the table does not take either. */
  private static FlowMatch withPrerequisites(FlowMatch plain, FlowMatch.Builder match, int number) {
    if (plain.uses(OxmField.VLAN_PCP)) {
      set(match, OxmField.VLAN_VID, number);
    }
    if (plain.uses(OxmField.TCP_SRC) || plain.uses(OxmField.TCP_DST)) {
      set(match, OxmField.IP_PROTO, number);
    }
    return match.build();
  }

  /** Matches one field with a value that depends on the number where the field is wide. */
  static void set(FlowMatch.Builder match, OxmField field, int number) {
    switch (field) {
      case IN_PORT -> match.exact(field, 1);
      case VLAN_VID -> match.exact(field, OxmField.VLAN_PRESENT | 10);
      case VLAN_PCP, IP_DSCP -> match.exact(field, 3);
      case ETH_SRC, ETH_DST -> match.exact(field, 0x0200_0000_0000L + number);
      case ETH_TYPE -> match.exact(field, 0x800);
      case IP_PROTO -> match.exact(field, 6);
      case IPV4_SRC, IPV4_DST -> match.exact(field, 0x0a00_0000L + number);
      default -> match.exact(field, number & 0xffff);
    }
  }

  /** One column: the capacity of a table for the structure of each row. */
  record Column(String profile, int tableId, int... cells) {
    @Override
    public String toString() {
      return profile + " table " + tableId;
    }
  }
}
