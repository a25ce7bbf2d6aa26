package io.lockstep.deploy.status;

import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.flow.placed.RuleReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Flow tables and rules as text. Pure. */
public final class TablesText {
  /** Rules of a list that are shown unless more are asked for. */
  public static final int USUAL = 20;

  private TablesText() {}

  /** The tables of a switch, with {@link #USUAL} rules of each list. */
  public static List<String> tables(String dpid, PlacementReport report) {
    return tables(dpid, report, USUAL);
  }

  /**
   * The tables of a switch. Each list that is cut says how many rules it leaves out, and who shows
   * them; a last line says what has no list.
   *
   * @param most rules of each list
   */
  public static List<String> tables(String dpid, PlacementReport report, int most) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "Switch %s: profile %s, %d rules, %d waiting, %d refused%s",
            dpid,
            report.profile(),
            report.rules(),
            report.waiting(),
            report.refusedCount(),
            report.changing() ? ", changing" : ""));
    lines.add("  this profile since " + report.reason());
    if (report.layers().isEmpty()) {
      lines.add("  it is taken to hold every rule: nothing is placed, rules go to their table");
      return lines;
    }
    TextTable layers =
        new TextTable(
            "LAYER", "TABLE", "KIND", "ENTRIES", "COVERS", "UNITS", "RESERVE", "OTHERS", "BYTES/S");
    for (PlacementReport.Layer layer : report.layers()) {
      layers.row(
          layer.id(),
          layer.table(),
          layer.kind(),
          layer.entries(),
          layer.covers(),
          layer.used() + "/" + (layer.capacity() < 0 ? "unbounded" : layer.capacity()),
          layer.reserve(),
          layer.foreign(),
          rate(layer.bytesPerSecond()));
    }
    lines.addAll(indented(layers.lines()));
    for (PlacementReport.Layer layer : report.layers()) {
      for (PlacementReport.Free free : layer.free()) {
        String count = free.count() < 0 ? "without bound" : Long.toString(free.count());
        lines.add("  " + layer.id() + ", free: " + count + ", " + free.entries());
      }
      if (layer.refused() > 0) {
        lines.add(
            "  "
                + layer.id()
                + ": the switch refused "
                + layer.refused()
                + " entries that the profile says it holds, the last with "
                + layer.lastError());
      }
    }
    if (report.vanished() + report.strays() > 0) {
      lines.add(
          "  put back: "
              + report.vanished()
              + " entries that were deleted or changed; taken away: "
              + report.strays());
    }
    String flows =
        "./lockstep flows --switch "
            + dpid
            + " lists those that the cluster keeps, nothing lists those of applications";
    report.refused().stream()
        .limit(most)
        .forEach(one -> lines.add("  refused " + named(one.id()) + one.why()));
    leftOut(
        lines,
        "refused",
        flows,
        Math.min(most, report.refused().size()),
        report.refused().size(),
        report.refusedCount());
    report.software().stream()
        .limit(most)
        .forEach(
            one ->
                lines.add(
                    "  in software "
                        + named(one.id())
                        + one.rule()
                        + ", in "
                        + one.layer()
                        + ", "
                        + traffic(one.bytesPerSecond(), one.pinned())));
    leftOut(
        lines,
        "in software",
        flows,
        Math.min(most, report.software().size()),
        report.software().size(),
        report.softwareCount());
    PlacementReport.PassingEntries passing = report.passing();
    if (passing != null) {
      passing(lines, passing, most);
    }
    lines.add(
        "  not listed: "
            + Math.max(0, report.rules() - report.softwareCount())
            + " rules in hardware or hidden by others, covers, and entries for ports and groups"
            + " that a fixed pipeline needs");
    return lines;
  }

  private static void passing(
      List<String> lines, PlacementReport.PassingEntries passing, int most) {
    lines.add(
        String.format(
            Locale.ROOT,
            "  entries of applications: %d in the switch, %d not, of which packets come to the"
                + " node; rules displaced by entries with more traffic: %d",
            passing.installed(),
            passing.missingCount(),
            passing.displaced()));
    passing.missing().stream()
        .limit(most)
        .forEach(
            one ->
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "  not in the switch %s%s, at least %.1f packets/s",
                        named(one.id()),
                        one.rule(),
                        one.packetsPerSecond())));
    leftOut(
        lines,
        "not in the switch",
        "these have the fewest packets, and nothing lists them",
        Math.min(most, passing.missing().size()),
        passing.missing().size(),
        passing.missingCount());
  }

  /**
   * Says what a list lacks.
   *
   * @param elsewhere where to find what the node does not list
   * @param listed by the node, which lists some where there are many
   * @param all that there are
   */
  private static void leftOut(
      List<String> lines, String what, String elsewhere, int shown, int listed, int all) {
    if (listed > shown) {
      lines.add("  and " + (listed - shown) + " more " + what + ", which --all shows");
    }
    if (all > listed) {
      lines.add(
          "  and "
              + (all - listed)
              + " more "
              + what
              + ", which the node does not list here: "
              + elsewhere);
    }
  }

  private static String named(String id) {
    return id.isEmpty() ? "" : id + ": ";
  }

  private static List<String> indented(List<String> lines) {
    return lines.stream().map(line -> "  " + line).toList();
  }

  private static String rate(double bytesPerSecond) {
    return String.format(Locale.ROOT, "%.0f", bytesPerSecond);
  }

  /** The traffic of a rule, and whether the node keeps the rule in front with any traffic. */
  private static String traffic(double bytesPerSecond, boolean pinned) {
    return rate(bytesPerSecond) + " bytes/s" + (pinned ? ", pinned" : "");
  }

  /** Why a rule is where it is. */
  public static List<String> rule(String dpid, RuleReport rule) {
    List<String> lines = new ArrayList<>();
    lines.add("Switch " + dpid + ": " + rule.rule());
    String since =
        rule.sinceMillis() == 0 ? "" : ", since " + Instant.ofEpochMilli(rule.sinceMillis());
    lines.add("  where: " + rule.layer() + since);
    if (rule.rank() > 0) {
      lines.add(
          "  traffic: "
              + traffic(rule.bytesPerSecond(), rule.pinned())
              + ", number "
              + rule.rank()
              + " of "
              + rule.rules()
              + " rules");
    }
    rule.why().forEach(why -> lines.add("  why: " + why));
    rule.dependsOn().forEach(above -> lines.add("  below: " + above));
    if (!rule.wouldMove().isEmpty()) {
      lines.add("  what would move it: " + rule.wouldMove());
    }
    return lines;
  }
}
