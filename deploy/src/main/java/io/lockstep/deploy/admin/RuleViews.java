package io.lockstep.deploy.admin;

import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.packet.DroppedPackets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The admin HTTP's views of flow tables: JSON bodies, and metrics as text. Pure. */
final class RuleViews {
  static final String TABLES = "/api/v1/tables";
  static final String METRICS = "/metrics";
  private static final String DROPPED = "lockstep_packet_ins_dropped_total";
  private static final String EXPLAIN = "/api/v1/flows/";

  private RuleViews() {}

  /** The flow id of a path {@code /api/v1/flows/HEX}; null for other paths. */
  static @Nullable Long flowId(String path) {
    if (!path.startsWith(EXPLAIN)) {
      return null;
    }
    String hex = path.substring(EXPLAIN.length());
    return hex.matches("[0-9a-fA-F]{1,16}") ? Long.parseUnsignedLong(hex, 16) : null;
  }

  /** The numbers of all tables, and what was counted, in the text format of Prometheus. */
  static String metrics(RuleSource rules) {
    StringBuilder text = new StringBuilder();
    counters(text, rules.counters(), "what");
    counters(text, rules.applicationCounters(), "application");
    counters(text, rules.causes(), "cause");
    dropped(text, rules.droppedPackets());
    Map<String, PlacementReport> tables = rules.tables();
    gauge(text, tables, "lockstep_table_used_units", PlacementReport.Layer::used);
    gauge(text, tables, "lockstep_table_capacity_units", PlacementReport.Layer::capacity);
    gauge(text, tables, "lockstep_table_entries", PlacementReport.Layer::entries);
    gauge(text, tables, "lockstep_table_foreign_entries", PlacementReport.Layer::foreign);
    gauge(text, tables, "lockstep_table_bytes_per_second", PlacementReport.Layer::bytesPerSecond);
    gauge(text, tables, "lockstep_table_refused_by_switch", PlacementReport.Layer::refused);
    whole(text, tables, "lockstep_switch_rules", PlacementReport::rules);
    whole(text, tables, "lockstep_switch_rules_waiting", PlacementReport::waiting);
    whole(text, tables, "lockstep_switch_rules_refused", PlacementReport::refusedCount);
    whole(text, tables, "lockstep_switch_entries_put_back", PlacementReport::vanished);
    whole(text, tables, "lockstep_switch_strays_removed", PlacementReport::strays);
    return text.toString();
  }

  private static void counters(
      StringBuilder text, Map<String, Map<String, Long>> counters, String label) {
    counters.forEach(
        (name, counts) -> {
          text.append("# TYPE ").append(name).append(" counter\n");
          counts.forEach(
              (value, count) ->
                  text.append(name)
                      .append('{')
                      .append(label)
                      .append("=\"")
                      .append(escaped(value))
                      .append("\"} ")
                      .append(count)
                      .append('\n'));
        });
  }

  private static void dropped(StringBuilder text, List<DroppedPackets.Count> counts) {
    text.append("# TYPE ").append(DROPPED).append(" counter\n");
    for (DroppedPackets.Count count : counts) {
      text.append(DROPPED)
          .append("{switch=\"")
          .append(count.dpid())
          .append("\",port=\"")
          .append(count.port())
          .append("\",reason=\"")
          .append(count.reason().label())
          .append("\"} ")
          .append(count.packets())
          .append('\n');
    }
  }

  private interface OfLayer {
    double value(PlacementReport.Layer layer);
  }

  private interface OfSwitch {
    double value(PlacementReport report);
  }

  private static void gauge(
      StringBuilder text, Map<String, PlacementReport> tables, String name, OfLayer value) {
    head(text, name);
    tables.forEach(
        (dpid, report) -> {
          for (PlacementReport.Layer layer : report.layers()) {
            String labels = "{switch=\"" + dpid + "\",layer=\"" + escaped(layer.id()) + "\"}";
            line(text, name + labels, value.value(layer));
          }
        });
  }

  private static void whole(
      StringBuilder text, Map<String, PlacementReport> tables, String name, OfSwitch value) {
    head(text, name);
    tables.forEach(
        (dpid, report) -> line(text, name + "{switch=\"" + dpid + "\"}", value.value(report)));
  }

  private static void head(StringBuilder text, String name) {
    text.append("# TYPE ").append(name).append(" gauge\n");
  }

  /** -1 stands for no bound, which has a spelling of its own. */
  private static void line(StringBuilder text, String name, double value) {
    text.append(name)
        .append(' ')
        .append(value < 0 ? "+Inf" : String.format(Locale.ROOT, "%.10g", value))
        .append('\n');
  }

  private static String escaped(String label) {
    return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
