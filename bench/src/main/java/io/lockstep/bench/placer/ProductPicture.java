package io.lockstep.bench.placer;

import io.lockstep.bench.drawing.Area;
import io.lockstep.bench.drawing.Bar;
import io.lockstep.bench.drawing.BarFill;
import io.lockstep.bench.drawing.BarPanel;
import io.lockstep.bench.drawing.Legend;
import io.lockstep.bench.drawing.SvgPicture;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The points of the product's path as SVG: a panel for each switch, in it three bars for each
 * family, by arrival, after the traffic, and of {@code fill}.
 */
final class ProductPicture {
  private static final int WIDTH = 1100;
  private static final int MARGIN = 16;
  private static final int TOP = 34;
  private static final int FOOT = 26;
  private static final int COLUMNS = 3;

  /** A policy that has bars. */
  private record Drawn(String policy, BarFill fill) {}

  private static final List<Drawn> BARS =
      List.of(
          new Drawn(StudiedPolicy.ARRIVAL.label(), BarFill.LIGHT),
          new Drawn(StudiedPolicy.PLACER.label(), BarFill.DARK),
          new Drawn(ProductStudy.FILL, BarFill.HOLLOW));

  private ProductPicture() {}

  /**
   * Draws the points of the product's path.
   *
   * @param points of a run; those of the placer alone are left out
   * @param origin below the picture
   */
  static String svg(List<PlacerPoint> points, String origin) {
    Map<String, BarPanel> panels = panels(points);
    int columns = Math.max(1, Math.min(COLUMNS, panels.size()));
    int rows = (panels.size() + columns - 1) / columns;
    double high = panels.values().stream().mapToDouble(BarPanel::height).max().orElse(0);
    double wide = (WIDTH - 2.0 * MARGIN) / columns;
    Legend legend = new Legend();
    BARS.forEach(drawn -> legend.bar(drawn.policy, drawn.fill));
    double top = TOP + legend.height(WIDTH - 2.0 * MARGIN);
    SvgPicture picture = new SvgPicture(WIDTH, (int) Math.ceil(top + rows * high + FOOT));
    picture.title(MARGIN, 22, "Through three nodes: share of all traffic in hardware, 0 to 1");
    legend.draw(picture, MARGIN, TOP, WIDTH - 2.0 * MARGIN);
    int index = 0;
    for (BarPanel panel : panels.values()) {
      int row = index / columns;
      double left = MARGIN + wide * (index % columns);
      double upper = top + high * row;
      panel.draw(picture, new Area(left, upper, left + wide, upper + high));
      index++;
    }
    picture.note(MARGIN, top + rows * high + 14, origin);
    return picture.xml();
  }

  private static Map<String, BarPanel> panels(List<PlacerPoint> points) {
    Map<String, Map<String, List<Bar>>> bars = new LinkedHashMap<>();
    for (PlacerPoint point : points) {
      for (Drawn drawn : BARS) {
        if (point.path().equals(PlacerPoint.PRODUCT) && point.policy().equals(drawn.policy)) {
          double share = point.hardwareTrafficShare();
          bars.computeIfAbsent(name(point), switches -> new LinkedHashMap<>())
              .computeIfAbsent(point.ruleSet(), family -> new ArrayList<>())
              .add(Bar.of(share, drawn.fill, null, String.format(Locale.ROOT, "%.3f", share)));
        }
      }
    }
    Map<String, BarPanel> panels = new LinkedHashMap<>();
    bars.forEach(
        (name, families) -> {
          BarPanel panel = new BarPanel(name, "share of all traffic", Double.MAX_VALUE);
          families.forEach(panel::add);
          panels.put(name, panel);
        });
    return panels;
  }

  private static String name(PlacerPoint point) {
    return String.format(
        Locale.ROOT,
        "%s, %d rules, %.0f %%",
        point.profile(),
        point.rules(),
        100 * point.capacityShare());
  }
}
