package io.lockstep.core.probe;

import io.lockstep.core.probe.ProbeReport.Row;
import io.lockstep.core.probe.ProbeReport.Table;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes what a probe found as a switch profile, which {@link
 * io.lockstep.placer.profile.ProfileReader} reads. Rules of different structure take different
 * room: the capacities are explained by the fewest units that give all of them.
 */
public final class ProfileInference {
  /** Units that an entry of the cheapest structure may cost. */
  private static final int MOST_UNITS = 16;

  /** One entry in so many is kept free for moves. */
  private static final int RESERVE_SHARE = 100;

  private ProfileInference() {}

  /**
   * The profile.
   *
   * @param name of the profile
   */
  public static String yaml(ProbeReport report, String name) {
    boolean hidden = report.tables().size() == 1 && report.tables().get(0).software();
    StringBuilder yaml = new StringBuilder();
    yaml.append("name: \"").append(name).append("\"\n");
    yaml.append("openflow: \"").append(report.openFlow()).append("\"\n");
    yaml.append("locations: ").append(hidden ? "hidden" : "visible").append('\n');
    yaml.append("maxFlowModsPerChange: 64\nlayers:\n");
    List<Table> used = report.tables().stream().filter(ProfileInference::takesRules).toList();
    for (int i = 0; i < used.size(); i++) {
      Table table = used.get(i);
      boolean last = i == used.size() - 1;
      if (!taken(table).isEmpty()) {
        yaml.append(hardware(table, hidden ? "none" : last ? "controller" : "goto"));
      }
      if (hidden || taken(table).isEmpty()) {
        yaml.append(software(table.number(), last));
      }
    }
    yaml.append("notes:\n");
    yaml.append("  - \"probed on ").append(report.device()).append(", which had ");
    yaml.append(report.present()).append(" entries; only the fields of the probe are known\"\n");
    yaml.append("  - \"which masks the fields take was not probed\"\n");
    return yaml.toString();
  }

  private static boolean takesRules(Table table) {
    return table.software() || !taken(table).isEmpty();
  }

  private static Set<ProbeField> taken(Table table) {
    EnumSet<ProbeField> fields = EnumSet.noneOf(ProbeField.class);
    table.rows().stream().filter(row -> row.capacity() > 0).forEach(row -> fields.add(row.field()));
    return fields;
  }

  private static String software(int table, boolean last) {
    return String.join(
        "\n",
        "  - id: software" + table,
        "    table: " + table,
        "    kind: software",
        "    capacity: {units: unbounded}",
        "    overflow: reject",
        "    cover: " + (last ? "controller" : "goto"),
        "");
  }

  private static String hardware(Table table, String cover) {
    List<Row> rows = table.rows().stream().filter(row -> row.capacity() > 0).toList();
    boolean spills = rows.stream().anyMatch(row -> row.beyond().equals("software"));
    Units units = units(rows);
    StringBuilder yaml = new StringBuilder();
    yaml.append("  - id: hardware").append(table.number()).append('\n');
    yaml.append("    table: ").append(table.number()).append('\n');
    yaml.append("    kind: hardware\n");
    yaml.append("    allowed: [").append(names(taken(table))).append("]\n");
    if (!table.required().isEmpty()) {
      yaml.append("    required: [").append(names(table.required())).append("]\n");
    }
    yaml.append("    capacity:\n      units: ").append(units.all()).append("\n      costs:\n");
    EnumSet<ProbeField> soFar = EnumSet.noneOf(ProbeField.class);
    for (int i = 0; i < rows.size(); i++) {
      soFar.add(rows.get(i).field());
      boolean last = i == rows.size() - 1;
      if (last) {
        yaml.append("        - {units: ").append(units.costs().get(i)).append("}\n");
      } else if (!units.costs().get(i).equals(units.costs().get(i + 1))) {
        yaml.append("        - {only: [").append(names(soFar)).append("], units: ");
        yaml.append(units.costs().get(i)).append("}\n");
      }
    }
    yaml.append("    overflow: ").append(spills ? "spill" : "reject").append('\n');
    yaml.append("    cover: ").append(cover).append('\n');
    yaml.append("    reserve: ").append(units.all() / RESERVE_SHARE).append('\n');
    return yaml.toString();
  }

  private static String names(Set<ProbeField> fields) {
    return fields.stream().sorted().map(ProbeField::inProfiles).collect(Collectors.joining(", "));
  }

  /**
   * How room is counted.
   *
   * @param all units of the table
   * @param costs of an entry, one for each row
   */
  record Units(int all, List<Integer> costs) {}

  /** The smallest units that give every row its capacity, or units that give none more. */
  static Units units(List<Row> rows) {
    int most = rows.stream().mapToInt(Row::capacity).max().orElse(1);
    for (int cheapest = 1; cheapest <= MOST_UNITS; cheapest++) {
      for (int all = cheapest * most; all < cheapest * (most + 1); all++) {
        List<Integer> costs = costs(rows, all);
        if (explains(rows, all, costs)) {
          return new Units(all, costs);
        }
      }
    }
    List<Integer> careful = new ArrayList<>();
    rows.forEach(row -> careful.add((most + row.capacity() - 1) / row.capacity()));
    return new Units(most, careful);
  }

  private static List<Integer> costs(List<Row> rows, int all) {
    List<Integer> costs = new ArrayList<>();
    rows.forEach(row -> costs.add(all / row.capacity()));
    return costs;
  }

  private static boolean explains(List<Row> rows, int all, List<Integer> costs) {
    for (int i = 0; i < rows.size(); i++) {
      if (all / costs.get(i) != rows.get(i).capacity()) {
        return false;
      }
    }
    return true;
  }
}
