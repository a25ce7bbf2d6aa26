package io.lockstep.bench.pictures;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.bench.drawing.Bar;
import io.lockstep.bench.drawing.BarFill;
import io.lockstep.bench.drawing.BarPanel;
import io.lockstep.bench.drawing.Curve;
import io.lockstep.bench.drawing.CurvePanel;
import io.lockstep.bench.drawing.CurvePoint;
import io.lockstep.bench.drawing.Legend;
import io.lockstep.bench.drawing.LineStyle;
import io.lockstep.bench.runs.BenchException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How long writes pause when the leader of the store is killed, and when all replicas are. */
final class FailoverPicture implements HeadlinePicture {
  private static final int WIDTH = 820;

  @Override
  public String name() {
    return "failover";
  }

  @Override
  public String svg(Path results) throws BenchException {
    HeadlineResult leader =
        HeadlineResult.read(
            results, "failover-leader.json", "failover --scenarios leader --runs 50");
    HeadlineResult restart =
        HeadlineResult.read(
            results,
            "failover-restart.json",
            "failover --scenarios restart --runs 3 --entries 1000000");
    LineStyle killed = LineStyle.of(0);
    LineStyle usual = LineStyle.of(1);
    String label = String.format(Locale.ROOT, "leader killed (%d kills)", leader.points().size());
    Legend legend = new Legend();
    legend.curve(label, killed);
    legend.curve("usual: the longest gap in as long a time just before", usual);
    PictureSheet sheet =
        new PictureSheet(
            "Writes pause while the store fails over, state on disk", WIDTH, 1, legend);
    CurvePanel pauses =
        new CurvePanel(
            "one of three replicas killed: the leader",
            "pause of writes in milliseconds",
            "kills with at most this pause, in percent",
            false);
    pauses.add(new Curve(label, killed, shares(leader, "stallMillis")));
    pauses.add(new Curve("usual", usual, shares(leader, "usualMillis")));
    sheet.add(pauses);
    BarPanel all =
        new BarPanel(
            "all three replicas killed, and started again with a million entries",
            "seconds until the first write is acknowledged",
            Double.MAX_VALUE);
    for (JsonNode point : restart.points()) {
      double seconds = point.path("stallMillis").asDouble() / 1000;
      all.add(
          "run " + point.path("run").asInt(),
          List.of(Bar.of(seconds, BarFill.DARK, null, ComparePicture.number(seconds))));
    }
    sheet.add(all);
    sheet.note(leader.origin());
    sheet.note(restart.origin());
    return sheet.svg();
  }

  /** Steps from 0 to 100 percent. */
  private static List<CurvePoint> shares(HeadlineResult result, String figure) {
    double[] sorted =
        result.points().stream()
            .mapToDouble(point -> point.path(figure).asDouble())
            .sorted()
            .toArray();
    List<CurvePoint> steps = new ArrayList<>();
    for (int i = 0; i < sorted.length; i++) {
      double share = 100.0 * (i + 1) / sorted.length;
      boolean last = i == sorted.length - 1;
      String label = last ? String.format(Locale.ROOT, "at most %.0f ms", sorted[i]) : "";
      steps.add(new CurvePoint(sorted[i], share, null, null, label));
    }
    return steps;
  }
}
