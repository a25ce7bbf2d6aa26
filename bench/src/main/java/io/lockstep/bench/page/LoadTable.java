package io.lockstep.bench.page;

import io.lockstep.bench.page.LoadPoint.Load;
import java.util.ArrayList;
import java.util.List;

/** The points of a figure as tables: those the paper prints, and all of them. */
final class LoadTable {
  private static final double KILO = 1e-3;

  private LoadTable() {}

  /** Writes both tables; the second is folded. */
  static void write(HtmlText page, List<LoadPoint> points) {
    List<LoadPoint> compared = points.stream().filter(LoadPoint::isInPaper).toList();
    if (compared.isEmpty()) {
      page.paragraph("The paper prints no number that belongs to a point of this run.");
    } else {
      table(page, compared);
    }
    page.beginAll(points.size(), "point");
    table(page, points);
    page.endFolded();
  }

  private static void table(HtmlText page, List<LoadPoint> points) {
    boolean cases = points.stream().anyMatch(point -> point.load().bestOrWorst() != null);
    List<String> header = new ArrayList<>(List.of("variant", "mode", "state", "flows"));
    if (cases) {
      header.addAll(0, List.of("workload", "case"));
    }
    header.addAll(
        List.of(
            "k flows/s [95 %]",
            "paper",
            "ratio",
            "p50, ms",
            "p90, ms [95 %]",
            "paper",
            "ratio",
            "reason of the difference"));
    List<List<String>> rows = new ArrayList<>();
    for (LoadPoint point : points) {
      Load load = point.load();
      List<String> row =
          new ArrayList<>(
              List.of(
                  load.variant(),
                  load.setting().mode(),
                  load.setting().state(),
                  Integer.toString(load.flows())));
      if (cases) {
        String bestOrWorst = load.bestOrWorst();
        row.addAll(0, List.of(load.workload(), bestOrWorst == null ? Rounded.NONE : bestOrWorst));
      }
      row.addAll(
          List.of(
              Rounded.withInterval(point.throughput(), KILO),
              Rounded.paper(point.throughput(), KILO),
              Rounded.ratio(point.throughput()),
              Rounded.number(point.median() == null ? null : point.median().value()),
              Rounded.withInterval(point.high(), 1),
              Rounded.paper(point.high(), 1),
              Rounded.ratio(point.high()),
              point.reason()));
      rows.add(row);
    }
    page.table(header, rows);
  }
}
