package io.lockstep.bench.page;

import io.lockstep.bench.figures.FigureRow;
import io.lockstep.bench.figures.FigureRow.Point;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What micro components bring: the highest throughput of micro over that of init. */
final class GainTable {
  private static final double KILO = 1e-3;

  /** Figures of the paper, and micro over init as it prints them in sections VII-B to VII-D. */
  private static final Map<String, Double> PAPER = new LinkedHashMap<>();

  static {
    PAPER.put("Fig. 7", 1.8);
    PAPER.put("Fig. 8b", 2.0);
    PAPER.put("Fig. 9a", 2.4);
    PAPER.put("Fig. 9b", 4.0);
  }

  private GainTable() {}

  /** Writes the table; a word where no row has both variants. */
  static void write(HtmlText page, List<FigureRow> rows) {
    List<List<String>> table = new ArrayList<>();
    PAPER.forEach((figure, paper) -> add(table, LoadPoint.of(rows, figure), paper));
    if (table.isEmpty()) {
      page.paragraph("Not measured: there are no rows of both init and micro.");
      return;
    }
    page.table(
        List.of(
            "workload",
            "mode",
            "state",
            "init, k flows/s [95 %]",
            "flows",
            "micro, k flows/s [95 %]",
            "flows",
            "micro over init",
            "paper",
            "reason of the difference"),
        table);
    page.paragraph(
        "Each at its number of flows with the highest mean throughput. The interval of the ratio is"
            + " that of the ends of both intervals, so it is rather too wide.");
  }

  private static void add(List<List<String>> table, List<LoadPoint> points, double paper) {
    for (Setting setting : points.stream().map(each -> each.load().setting()).distinct().toList()) {
      LoadPoint init = best(points, setting, "init");
      LoadPoint micro = best(points, setting, "micro");
      Point base = init == null ? null : init.throughput();
      Point gained = micro == null ? null : micro.throughput();
      if (init == null || micro == null || base == null || gained == null) {
        continue;
      }
      table.add(
          List.of(
              init.load().workload(),
              setting.mode(),
              setting.state(),
              Rounded.withInterval(base, KILO),
              Integer.toString(init.load().flows()),
              Rounded.withInterval(gained, KILO),
              Integer.toString(micro.load().flows()),
              ratio(gained, base),
              Rounded.printed(paper),
              micro.reason()));
    }
  }

  private static @Nullable LoadPoint best(List<LoadPoint> points, Setting setting, String variant) {
    LoadPoint best = null;
    for (LoadPoint point : points) {
      if (point.load().setting().equals(setting)
          && point.load().variant().equals(variant)
          && point.throughput() != null
          && (best == null || point.rate() > best.rate())) {
        best = point;
      }
    }
    return best;
  }

  private static String ratio(Point micro, Point init) {
    String ratio = Rounded.number(micro.value() / init.value());
    Double low = micro.low();
    Double high = micro.high();
    Double initLow = init.low();
    Double initHigh = init.high();
    return low == null || high == null || initLow == null || initHigh == null || !(initLow > 0)
        ? ratio
        : ratio
            + " ["
            + Rounded.number(low / initHigh)
            + ", "
            + Rounded.number(high / initLow)
            + "]";
  }
}
