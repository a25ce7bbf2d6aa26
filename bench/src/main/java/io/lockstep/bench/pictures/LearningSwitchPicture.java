package io.lockstep.bench.pictures;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.bench.drawing.Bar;
import io.lockstep.bench.drawing.BarFill;
import io.lockstep.bench.drawing.BarPanel;
import io.lockstep.bench.drawing.Legend;
import io.lockstep.bench.runs.BenchException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Flow set-ups over OpenFlow through three nodes. */
final class LearningSwitchPicture implements HeadlinePicture {
  private static final int WIDTH = 820;
  private static final double THOUSANDTH = 1e-3;

  /** Those with one in flight cost ten times as much as the others. */
  private static final double CPU_LIMIT_MICROS = 300;

  @Override
  public String name() {
    return "learning-switch";
  }

  @Override
  public String svg(Path results) throws BenchException {
    Map<String, HeadlineResult> parts = new LinkedHashMap<>();
    parts.put(
        "state in memory", HeadlineResult.read(results, "learning-switch.json", "learning-switch"));
    parts.put(
        "state on disk",
        HeadlineResult.read(results, "learning-switch-disk.json", "learning-switch"));
    Legend legend = new Legend();
    legend.bar("rate, median, CPU", BarFill.DARK);
    legend.bar("99 of 100 flow set-ups are faster", BarFill.LIGHT);
    PictureSheet sheet =
        new PictureSheet(
            "Flow set-ups of the learning switch through three nodes", WIDTH, 1, legend);
    sheet.add(panel("from packet-in to flow-mod", "thousand flow set-ups a second", parts, true));
    sheet.add(panel("latency of the same", "milliseconds", parts, false));
    sheet.add(cost(parts));
    sheet.note("In flight: packet-ins that wait for an answer; each answer starts the next.");
    sheet.note("The two parts are of different commits, so they do not say what the disk costs.");
    parts.forEach((where, result) -> sheet.note(where + ": " + result.origin()));
    return sheet.svg();
  }

  private static BarPanel panel(
      String title, String unit, Map<String, HeadlineResult> parts, boolean rate) {
    BarPanel panel = new BarPanel(title, unit, Double.MAX_VALUE);
    parts.forEach(
        (where, result) -> {
          panel.heading(where);
          for (JsonNode point : result.points()) {
            panel.add(
                name(point),
                rate
                    ? List.of(bar(point.path("perSecond").asDouble() * THOUSANDTH, BarFill.DARK))
                    : List.of(
                        bar(point.path("p50Micros").asDouble() * THOUSANDTH, BarFill.DARK),
                        bar(point.path("p99Micros").asDouble() * THOUSANDTH, BarFill.LIGHT)));
          }
        });
    return panel;
  }

  private static BarPanel cost(Map<String, HeadlineResult> parts) {
    BarPanel panel =
        new BarPanel(
            "CPU of the three nodes together",
            "microseconds for each flow set-up; longer bars are cut",
            CPU_LIMIT_MICROS);
    parts.forEach(
        (where, result) -> {
          panel.heading(where);
          for (JsonNode point : result.points()) {
            panel.add(
                name(point), List.of(bar(point.path("serverCpuMicros").asDouble(), BarFill.DARK)));
          }
        });
    return panel;
  }

  private static String name(JsonNode point) {
    return String.format(
        Locale.ROOT,
        "%d in flight%s",
        point.path("inFlight").asInt(),
        point.path("warm").asBoolean(true) ? "" : " (not warm)");
  }

  private static Bar bar(double value, BarFill fill) {
    return Bar.of(value, fill, null, ComparePicture.number(value));
  }
}
