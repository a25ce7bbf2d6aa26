package io.lockstep.bench.switchmodel;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The paper's Table 2, "Hardware flow table capacities for various rule structures": how many rules
 * each table takes where a rule matches all fields up to one of them, without those that the table
 * refuses.
 */
public final class Table2 {
  /**
   * One column.
   *
   * @param profile the emulated switch
   * @param table the OpenFlow table of the emulated switch that it is
   * @param name of the table in the paper; empty where the switch has one
   * @param cells one for each field, from in_port to tcp_dst; null for a cell that is not in our
   *     text of the paper
   */
  public record Column(String profile, int table, String name, List<@Nullable Integer> cells) {
    static Column of(String profile, int table, String name, @Nullable Integer... cells) {
      return new Column(profile, table, name, Arrays.asList(cells));
    }

    /** The profile, and the table where there are several. */
    public String label() {
      return name.isEmpty() ? profile : profile + " " + name;
    }

    @Override
    public String toString() {
      return label();
    }
  }

  private Table2() {}

  /** The columns, from left to right. */
  public static List<Column> columns() {
    return List.of(
        Column.of("2920", 0, "", 460, 460, 460, 0, 0, 460, 460, 460, 460, 460, 460, 460),
        Column.of("3500yl-1.0", 0, "", 381, 381, 0, 0, 0, 1526, 1526, 1526, 1526, 1526, 1526, 1526),
        Column.of("3500yl-1.3", 0, "", 0, 0, 0, 0, 0, 1526, 1526, 1526, 1526, 1526, 1526, 1526),
        Column.of("5130", 1, "EXT", 384, 384, 384, 384, 384, 384, 512, 512, 512, 512, 512, 512),
        Column.of("5130", 0, "MAC-IP", 0, 0, 0, 0, 16000, 16000, 0, 0, 16000, 0, 0, 0),
        Column.of("5700", 1, "EXT", 640, 640, 640, 640, 640, 512, 512, 512, 512, 512, 512, 512),
        // The model takes the second cell to be as that of the 5130.
        Column.of("5700", 0, "MAC-IP", 0, null, 0, 0, 65535, 65535, 0, 0, 65535, 0, 0, 0));
  }
}
