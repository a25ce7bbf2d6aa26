package io.lockstep.deploy.metrics;

import io.lockstep.core.flow.placed.PlacementReport;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;

/**
 * Flow tables and rules. A switch has samples at the node that masters it, and nowhere else, so
 * their number is bounded by the switches of the cluster.
 */
final class TableFamilies {
  private static final String SWITCH = "switch";
  private static final Set<FlowEntryState> SHOWN =
      Set.of(
          FlowEntryState.PENDING_ADD,
          FlowEntryState.ADDED,
          FlowEntryState.PENDING_REMOVE,
          FlowEntryState.FAILED);

  private TableFamilies() {}

  private interface OfLayer {
    double value(PlacementReport.Layer layer);
  }

  private interface OfSwitch {
    double value(PlacementReport report);
  }

  static void add(MetricFamilies families, Map<Long, PlacementReport> tables) {
    layers(
        families,
        tables,
        "lockstep_table_used_units",
        "Units of a layer of a switch's tables that are taken.",
        PlacementReport.Layer::used);
    layers(
        families,
        tables,
        "lockstep_table_capacity_units",
        "Units that a layer has; +Inf for no bound.",
        layer -> layer.capacity() < 0 ? Double.POSITIVE_INFINITY : (double) layer.capacity());
    layers(
        families,
        tables,
        "lockstep_table_entries",
        "Rules and covers in a layer; kind is hardware or software.",
        PlacementReport.Layer::entries);
    layers(
        families,
        tables,
        "lockstep_table_foreign_entries",
        "Entries of others in a layer.",
        PlacementReport.Layer::foreign);
    layers(
        families,
        tables,
        "lockstep_table_bytes_per_second",
        "Traffic that the rules of a layer serve.",
        PlacementReport.Layer::bytesPerSecond);
    MetricFamilies.Samples refused =
        families.counter(
            "lockstep_table_refusals_total",
            "How often the switch refused what its profile says that the layer holds.",
            SWITCH,
            "layer");
    tables.forEach(
        (dpid, report) ->
            report.layers().forEach(layer -> refused.add(layer.refused(), hex(dpid), layer.id())));
    whole(
        families.gauge("lockstep_switch_rules", "Rules of a switch.", SWITCH),
        tables,
        PlacementReport::rules);
    whole(
        families.gauge("lockstep_switch_rules_waiting", "Rules that wait to be placed.", SWITCH),
        tables,
        PlacementReport::waiting);
    whole(
        families.gauge(
            "lockstep_switch_rules_refused", "Rules that the switch does not have.", SWITCH),
        tables,
        PlacementReport::refusedCount);
    whole(
        families.counter(
            "lockstep_switch_entries_put_back_total",
            "Entries that left the switch unasked, and that the node put back.",
            SWITCH),
        tables,
        PlacementReport::vanished);
    whole(
        families.counter(
            "lockstep_switch_strays_removed_total",
            "Entries with the node's cookies that belonged to no rule.",
            SWITCH),
        tables,
        PlacementReport::strays);
    passing(families, tables);
  }

  private static void passing(MetricFamilies families, Map<Long, PlacementReport> tables) {
    MetricFamilies.Samples displaced =
        families.counter(
            "lockstep_switch_entries_displaced_total",
            "Rules whose place an application's entry with more traffic took.",
            SWITCH);
    MetricFamilies.Samples missing =
        families.gauge(
            "lockstep_switch_entries_missing",
            "Applications' entries that the switch lacks and of which packets came lately.",
            SWITCH);
    tables.forEach(
        (dpid, report) -> {
          PlacementReport.PassingEntries passing = report.passing();
          if (passing != null) {
            displaced.add(passing.displaced(), hex(dpid));
            missing.add(passing.missingCount(), hex(dpid));
          }
        });
  }

  /** How many rules of the cluster are in which state. */
  static void addStates(MetricFamilies families, Map<FlowEntryState, Integer> states) {
    MetricFamilies.Samples rules =
        families.gauge(
            "lockstep_rules", "Rules of the whole cluster, as this node knows them.", "state");
    for (FlowEntryState state : SHOWN) {
      rules.add(states.getOrDefault(state, 0), state.name().toLowerCase(Locale.ROOT));
    }
  }

  private static void layers(
      MetricFamilies families,
      Map<Long, PlacementReport> tables,
      String name,
      String help,
      OfLayer value) {
    MetricFamilies.Samples samples = families.gauge(name, help, SWITCH, "layer", "kind");
    tables.forEach(
        (dpid, report) ->
            report
                .layers()
                .forEach(
                    layer -> samples.add(value.value(layer), hex(dpid), layer.id(), layer.kind())));
  }

  private static void whole(
      MetricFamilies.Samples samples, Map<Long, PlacementReport> tables, OfSwitch value) {
    tables.forEach((dpid, report) -> samples.add(value.value(report), hex(dpid)));
  }

  private static String hex(long dpid) {
    return String.format(Locale.ROOT, "%016x", dpid);
  }
}
