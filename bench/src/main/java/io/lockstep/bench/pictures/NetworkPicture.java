package io.lockstep.bench.pictures;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.bench.drawing.Curve;
import io.lockstep.bench.drawing.CurvePanel;
import io.lockstep.bench.drawing.CurvePoint;
import io.lockstep.bench.drawing.Legend;
import io.lockstep.bench.drawing.LineStyle;
import io.lockstep.bench.runs.BenchException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What grows with the number of switches. */
final class NetworkPicture implements HeadlinePicture {
  private static final int WIDTH = 1100;
  private static final double SECONDS = 1e-3;
  private static final double PERCENT = 100;
  private static final int NODES = 3;

  private static final Growth START =
      new Growth(
          "from the start of the network",
          "seconds",
          List.of(
              new Line("until all are connected", "connect", point -> number(point, "seconds")),
              new Line("from then until all are mastered", "mastered", p -> number(p, "seconds")),
              new Line(
                  "from then until all links are known", "linked", p -> number(p, "seconds"))));

  private static final Growth KILL =
      new Growth(
          "the node killed whose replica leads the store",
          "seconds",
          List.of(
              new Line(
                  "until its first switch has a new master",
                  "kill",
                  point -> number(point, "newMasterMillis") * SECONDS),
              new Line(
                  "until all its switches have one",
                  "kill",
                  point -> number(point, "allMasteredMillis") * SECONDS)));

  private static final Growth REST =
      new Growth(
          "nothing happens",
          "CPU of a node, percent of a core",
          List.of(
              new Line(
                  "CPU at rest",
                  "rest",
                  point ->
                      number(point, "cpuSeconds") / number(point, "seconds") / NODES * PERCENT)));

  private static final Growth MEMORY =
      new Growth(
          "memory of the largest node at rest",
          "megabytes",
          List.of(new Line("memory", "rest", point -> number(point, "residentMegabytes"))));

  /** A panel: how some figures grow with the number of switches. */
  private record Growth(String title, String unit, List<Line> lines) {}

  /** A figure of a phase. */
  private record Line(String label, String phase, ToDoubleFunction<JsonNode> figure) {}

  @Override
  public String name() {
    return "network";
  }

  @Override
  public String svg(Path results) throws BenchException {
    HeadlineResult result =
        HeadlineResult.read(results, "network.json", "network --switches 10,100,400,1000");
    Legend legend = new Legend();
    PictureSheet sheet =
        new PictureSheet("Networks of many switches on three nodes", WIDTH, 2, legend);
    int style = 0;
    for (Growth growth : List.of(START, KILL, REST, MEMORY)) {
      CurvePanel panel = new CurvePanel(growth.title(), "switches", growth.unit(), false);
      for (Line line : growth.lines()) {
        LineStyle look = LineStyle.of(style++);
        panel.add(new Curve(line.label(), look, points(result, line)));
        legend.curve(line.label(), look);
      }
      sheet.add(panel);
    }
    sheet.note("All three nodes and the emulated network share the machine.");
    sheet.note(result.origin());
    return sheet.svg();
  }

  private static List<CurvePoint> points(HeadlineResult result, Line line) {
    List<Integer> sizes =
        result.points().stream()
            .map(point -> point.path("switches").asInt())
            .distinct()
            .sorted()
            .toList();
    List<CurvePoint> points = new ArrayList<>();
    for (int switches : sizes) {
      List<JsonNode> phase =
          result.where(
              point ->
                  point.path("switches").asInt() == switches
                      && point.path("phase").asText().equals(line.phase()));
      RoundSpread.of(phase, line.figure())
          .ifPresent(
              rounds ->
                  points.add(
                      new CurvePoint(
                          switches,
                          rounds.median(),
                          null,
                          rounds.interval(),
                          ComparePicture.number(rounds.median()))));
    }
    return points;
  }

  /** Not a number where the phase did not end. */
  private static double number(JsonNode point, String figure) {
    return point.path(figure).asDouble(Double.NaN);
  }
}
