package io.lockstep.bench.drawing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A figure of a study as SVG: for each unit a panel, in it a curve for each profile where x is a
 * number, else bars. What they are compared with is hollow, and dashed where it is a line.
 *
 * @param title above it
 * @param xName what numbers on the horizontal axis are, with their unit
 * @param reference what the values are compared with, such as the paper
 * @param origin below it: command, commit and date; empty for none
 */
public record Chart(String title, String xName, String reference, String origin) {
  private static final int WIDTH = 1100;
  private static final int NARROW = 760;
  private static final int PANEL = 330;

  /** Above these, panels are narrow and low, so that the picture fits a page. */
  private static final int FEW_PANELS = 8;

  private static final int SMALL_PANEL = 222;
  private static final int MARGIN = 16;
  private static final int TOP = 34;
  private static final int FOOT = 26;

  /** Draws points of one figure, which are in order of x. */
  public String svg(List<FigurePoint> points) {
    Map<String, List<FigurePoint>> panels = new LinkedHashMap<>();
    for (FigurePoint point : points) {
      panels.computeIfAbsent(point.unit(), unit -> new ArrayList<>()).add(point);
    }
    return points.stream().allMatch(point -> point.x() instanceof Number)
        ? curves(panels)
        : bars(panels);
  }

  private String curves(Map<String, List<FigurePoint>> panels) {
    boolean few = panels.size() <= FEW_PANELS;
    int columns = panels.size() == 1 ? 1 : few ? 2 : 4;
    int high = few ? PANEL : SMALL_PANEL;
    int width = columns > 1 ? WIDTH : NARROW;
    Map<String, LineStyle> styles = new LinkedHashMap<>();
    Legend legend = new Legend();
    for (List<FigurePoint> points : panels.values()) {
      for (FigurePoint point : points) {
        styles.computeIfAbsent(point.profile(), name -> LineStyle.of(styles.size()));
      }
    }
    styles.forEach(legend::curve);
    if (panels.values().stream().anyMatch(Chart::isCompared)) {
      legend.reference(
          reference, Marker.CIRCLE, panels.values().stream().anyMatch(Chart::isJoined));
    }
    double top = TOP + legend.height(width - 2.0 * MARGIN);
    int rows = (panels.size() + columns - 1) / columns;
    SvgPicture picture = new SvgPicture(width, (int) Math.ceil(top + rows * high + FOOT));
    write(picture, legend);
    double wide = (width - 2.0 * MARGIN) / columns;
    int index = 0;
    for (Map.Entry<String, List<FigurePoint>> each : panels.entrySet()) {
      CurvePanel panel = new CurvePanel(each.getKey(), xName, "", false);
      fill(panel, each.getValue(), styles);
      double left = MARGIN + wide * (index % columns);
      double upper = top + high * (index / columns);
      panel.draw(picture, new Area(left, upper, left + wide, upper + high));
      index++;
    }
    return foot(picture, top + rows * high);
  }

  private static void fill(
      CurvePanel panel, List<FigurePoint> points, Map<String, LineStyle> styles) {
    styles.forEach(
        (profile, style) -> {
          List<FigurePoint> own = points.stream().filter(p -> p.profile().equals(profile)).toList();
          panel.add(
              new Curve(
                  profile,
                  style,
                  own.stream().map(p -> new CurvePoint(number(p), p.value())).toList()));
          LineStyle hollow = new LineStyle("black", "none", Marker.CIRCLE);
          for (List<CurvePoint> run : runs(own)) {
            panel.compare(new Curve(profile, hollow, run));
          }
        });
  }

  /** The compared values of a curve, parted where one of its points has none. */
  private static List<List<CurvePoint>> runs(List<FigurePoint> points) {
    List<List<CurvePoint>> runs = new ArrayList<>();
    List<CurvePoint> run = new ArrayList<>();
    for (FigurePoint point : points) {
      Double paper = point.paper();
      if (paper != null) {
        run.add(new CurvePoint(number(point), paper));
      } else {
        runs.add(run);
        run = new ArrayList<>();
      }
    }
    runs.add(run);
    return runs;
  }

  private static boolean isCompared(List<FigurePoint> points) {
    return points.stream().anyMatch(point -> point.paper() != null);
  }

  /** Whether two neighbours of a curve are compared, so that a dashed line joins them. */
  private static boolean isJoined(List<FigurePoint> points) {
    for (int i = 1; i < points.size(); i++) {
      if (points.get(i).profile().equals(points.get(i - 1).profile())
          && points.get(i).paper() != null
          && points.get(i - 1).paper() != null) {
        return true;
      }
    }
    return false;
  }

  private String bars(Map<String, List<FigurePoint>> panels) {
    Legend legend = new Legend();
    legend.bar("ours", BarFill.DARK);
    if (panels.values().stream().anyMatch(Chart::isCompared)) {
      legend.bar(reference, BarFill.HOLLOW);
    }
    List<BarPanel> drawn = new ArrayList<>();
    double top = TOP + legend.height(NARROW - 2.0 * MARGIN);
    double height = top + FOOT;
    for (Map.Entry<String, List<FigurePoint>> each : panels.entrySet()) {
      BarPanel panel = new BarPanel("", each.getKey(), Double.MAX_VALUE);
      for (FigurePoint point : each.getValue()) {
        Double paper = point.paper();
        List<Bar> bars = new ArrayList<>(List.of(bar(point.value(), BarFill.DARK)));
        if (paper != null) {
          bars.add(bar(paper, BarFill.HOLLOW));
        }
        panel.add(point.profile() + ", " + point.x(), bars);
      }
      drawn.add(panel);
      height += panel.height();
    }
    SvgPicture picture = new SvgPicture(NARROW, (int) Math.ceil(height));
    write(picture, legend);
    for (BarPanel panel : drawn) {
      panel.draw(picture, new Area(MARGIN, top, NARROW - MARGIN, top + panel.height()));
      top += panel.height();
    }
    return foot(picture, top);
  }

  private static Bar bar(double value, BarFill fill) {
    return Bar.of(value, fill, null, Axis.label(Math.rint(value)));
  }

  private void write(SvgPicture picture, Legend legend) {
    picture.bold(MARGIN, 22, Anchor.START, SvgPicture.TITLE_PIXELS, title);
    legend.draw(picture, MARGIN, TOP, picture.width() - 2.0 * MARGIN);
  }

  private String foot(SvgPicture picture, double top) {
    if (!origin.isEmpty()) {
      picture.text(MARGIN, top + 14, Anchor.START, origin);
    }
    return picture.xml();
  }

  private static double number(FigurePoint point) {
    return ((Number) point.x()).doubleValue();
  }
}
