package io.lockstep.core.probe;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a probe found.
 *
 * @param device the switch
 * @param openFlow the version that was spoken
 * @param present entries that were there before, of everybody
 * @param tables one for each table that was probed
 */
public record ProbeReport(String device, String openFlow, int present, List<Table> tables) {
  public ProbeReport {
    tables = List.copyOf(tables);
  }

  /**
   * One table.
   *
   * @param number of the table
   * @param rows one for each field, in the order of {@link ProbeField}
   * @param required fields without which the table takes no rule into hardware
   * @param software whether what hardware does not take goes to software
   */
  public record Table(int number, List<Row> rows, Set<ProbeField> required, boolean software) {
    public Table {
      rows = List.copyOf(rows);
      required = Set.copyOf(required);
    }
  }

  /**
   * One match structure.
   *
   * @param field the last of its fields
   * @param fields all of them, by name
   * @param capacity rules that go to hardware; 0 where not one does
   * @param bounded false where more were not tried
   * @param beyond where the next rule goes: hardware, software or refused
   * @param said what the switch said to a rule that it refused; empty where it did not
   */
  public record Row(
      ProbeField field, String fields, int capacity, boolean bounded, String beyond, String said) {}

  /** The report for people, a line each. */
  public List<String> lines() {
    List<String> lines = new java.util.ArrayList<>();
    lines.add(device + ", OpenFlow " + openFlow + "; " + present + " entries before the probe");
    for (Table table : tables) {
      lines.add("table " + table.number());
      lines.add(String.format("  %-10s %9s  %-9s %s", "up to", "hardware", "beyond", "matching"));
      for (Row row : table.rows()) {
        lines.add(
            String.format(
                "  %-10s %9s  %-9s %s%s",
                row.field().label(),
                (row.bounded() ? "" : ">=") + row.capacity(),
                row.beyond(),
                row.fields(),
                row.said().isEmpty() ? "" : "  (" + row.said() + ")"));
      }
      if (!table.required().isEmpty()) {
        lines.add(
            "  every rule in hardware matches "
                + table.required().stream()
                    .sorted()
                    .map(ProbeField::label)
                    .collect(Collectors.joining(", ")));
      }
    }
    return lines;
  }
}
