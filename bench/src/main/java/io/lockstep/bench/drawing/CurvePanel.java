package io.lockstep.bench.drawing;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Curves over two axes. What they are compared with, such as a paper's values, is drawn as hollow
 * black points, or as a dotted vertical line where only x is known. Used by one thread.
 */
public final class CurvePanel {
  private static final double LEFT = 64;
  private static final double RIGHT = 18;
  private static final double TOP = 30;
  private static final double BOTTOM = 48;
  private static final int MOST_MARKERS = 12;
  private static final int MOST_RINGS = 6;

  /** Pixels within which one line hides another. */
  private static final double HIDDEN = 3;

  private static final String REFERENCE = "stroke=\"black\" stroke-width=\"1.3\"";
  static final String DASHED = REFERENCE + " stroke-dasharray=\"5,4\"";
  static final String DOTTED = REFERENCE + " stroke-dasharray=\"1.5,3\"";

  private final String title;
  private final String xName;
  private final String yName;
  private final boolean logarithmic;
  private final List<Curve> curves = new ArrayList<>();
  private final List<Curve> references = new ArrayList<>();
  private final List<CurvePoint> lonely = new ArrayList<>();

  /**
   * A panel without curves.
   *
   * @param xName what the horizontal axis has, with its unit; that axis begins at 0
   * @param yName what the vertical axis has, with its unit; empty where the title says it
   * @param logarithmic whether the vertical axis is; then every y must be above 0
   */
  public CurvePanel(String title, String xName, String yName, boolean logarithmic) {
    this.title = title;
    this.xName = xName;
    this.yName = yName;
    this.logarithmic = logarithmic;
  }

  /** Adds a curve of ours. */
  public void add(Curve curve) {
    if (!curve.points().isEmpty()) {
      curves.add(curve);
    }
  }

  /** Adds values to compare with. A dashed line joins them where there are several. */
  public void compare(Curve reference) {
    if (!reference.points().isEmpty()) {
      references.add(reference);
    }
  }

  /** Adds a value to compare with whose y is not known. */
  public void compareAt(double x, String label) {
    lonely.add(new CurvePoint(x, Double.NaN, null, null, label));
  }

  /** Draws the panel, its names and numbers included, into the area. */
  public void draw(SvgPicture picture, Area area) {
    Area plot =
        new Area(
            area.left() + LEFT, area.top() + TOP, area.right() - RIGHT, area.bottom() - BOTTOM);
    Axis x = Axis.upTo(highestX(), plot.left(), plot.right());
    Axis y = yAxis(plot);
    PanelFrame.title(picture, plot, title);
    PanelFrame.across(picture, plot, x, xName);
    PanelFrame.along(picture, plot, y, yName);
    for (CurvePoint at : lonely) {
      picture.line(x.pixel(at.x()), plot.top(), x.pixel(at.x()), plot.bottom(), DOTTED);
    }
    for (int i = 0; i < curves.size(); i++) {
      Curve curve = curves.get(i);
      picture.polyline(path(curve, x, y), curve.style().stroke(above(i, x, y)));
      intervals(picture, curve, x, y);
    }
    for (Curve reference : references) {
      picture.polyline(path(reference, x, y), DASHED);
    }
    LabelRoom room = new LabelRoom(picture, plot);
    markers(picture, room, x, y);
    labels(room, x, y);
  }

  /** How many later curves, which are drawn above this one, go along with a part of it. */
  private int above(int number, Axis x, Axis y) {
    List<CurvePoint> points = curves.get(number).points();
    int above = 0;
    for (Curve other : curves.subList(number + 1, curves.size())) {
      boolean before = false;
      boolean along = false;
      for (CurvePoint point : points) {
        boolean here =
            other.points().stream()
                .anyMatch(
                    one ->
                        Math.abs(x.pixel(one.x()) - x.pixel(point.x())) < HIDDEN
                            && Math.abs(y.pixel(one.y()) - y.pixel(point.y())) < HIDDEN);
        along |= here && before;
        before = here;
      }
      above += along ? 1 : 0;
    }
    return above;
  }

  private double highestX() {
    double highest = 0;
    for (CurvePoint point : all()) {
      Interval across = point.across();
      highest = Math.max(highest, across == null ? point.x() : across.high());
    }
    return highest;
  }

  private Axis yAxis(Area plot) {
    double lowest = Double.MAX_VALUE;
    double highest = 0;
    for (CurvePoint point : all()) {
      if (!Double.isNaN(point.y())) {
        Interval along = point.along();
        double low = along == null || along.low() <= 0 ? point.y() : along.low();
        lowest = Math.min(lowest, low);
        highest = Math.max(highest, along == null ? point.y() : along.high());
      }
    }
    return logarithmic
        ? Axis.logarithmic(
            lowest == Double.MAX_VALUE ? 1 : lowest, highest, plot.bottom(), plot.top())
        : Axis.upTo(highest, plot.bottom(), plot.top());
  }

  private List<CurvePoint> all() {
    List<CurvePoint> all = new ArrayList<>(lonely);
    curves.forEach(curve -> all.addAll(curve.points()));
    references.forEach(curve -> all.addAll(curve.points()));
    return all;
  }

  private static String path(Curve curve, Axis x, Axis y) {
    StringBuilder path = new StringBuilder();
    for (CurvePoint point : curve.points()) {
      path.append(String.format(Locale.ROOT, "%.1f,%.1f ", x.pixel(point.x()), y.pixel(point.y())));
    }
    return path.toString();
  }

  private void intervals(SvgPicture picture, Curve curve, Axis x, Axis y) {
    String style = "stroke=\"" + curve.style().colour() + "\" stroke-width=\"1\"";
    for (CurvePoint point : curve.points()) {
      Interval across = point.across();
      Interval along = point.along();
      if (across != null) {
        double at = y.pixel(point.y());
        picture.line(x.pixel(Math.max(0, across.low())), at, x.pixel(across.high()), at, style);
      }
      if (along != null) {
        double at = x.pixel(point.x());
        double low = logarithmic ? Math.max(along.low(), y.from()) : along.low();
        picture.line(at, y.pixel(low), at, y.pixel(along.high()), style);
      }
    }
  }

  /** The first curve's come last, so that they lie above the others. */
  private void markers(SvgPicture picture, LabelRoom room, Axis x, Axis y) {
    for (int i = curves.size() - 1; i >= 0; i--) {
      LineStyle style = curves.get(i).style();
      for (CurvePoint point : marked(curves.get(i))) {
        style.marker().solid(picture, x.pixel(point.x()), y.pixel(point.y()), style.colour());
        room.keepFree(x.pixel(point.x()), y.pixel(point.y()));
      }
    }
    for (Curve reference : references) {
      for (CurvePoint point : ends(reference)) {
        reference.style().marker().hollow(picture, x.pixel(point.x()), y.pixel(point.y()));
        room.keepHollowFree(x.pixel(point.x()), y.pixel(point.y()));
      }
    }
  }

  /** All points of a curve, or some of them where there are many. */
  private static List<CurvePoint> marked(Curve curve) {
    List<CurvePoint> points = curve.points();
    int every = (points.size() + MOST_MARKERS - 1) / MOST_MARKERS;
    return IntStream.range(0, points.size())
        .filter(i -> i % every == 0)
        .mapToObj(points::get)
        .toList();
  }

  /** All points, or the first and the last where a dashed line shows the others well enough. */
  private static List<CurvePoint> ends(Curve reference) {
    List<CurvePoint> points = reference.points();
    return points.size() <= MOST_RINGS
        ? points
        : List.of(points.get(0), points.get(points.size() - 1));
  }

  /** References first, then the ends of the curves, then what lies between. */
  private void labels(LabelRoom room, Axis x, Axis y) {
    for (CurvePoint at : lonely) {
      room.putAtTop(x.pixel(at.x()), at.label());
    }
    references.forEach(reference -> reference.points().forEach(point -> label(room, x, y, point)));
    for (Curve curve : curves) {
      label(room, x, y, curve.points().get(curve.points().size() - 1));
    }
    for (Curve curve : curves) {
      for (CurvePoint point : curve.points().subList(0, curve.points().size() - 1)) {
        label(room, x, y, point);
      }
    }
  }

  private static void label(LabelRoom room, Axis x, Axis y, CurvePoint point) {
    if (!point.label().isEmpty()) {
      room.put(x.pixel(point.x()), y.pixel(point.y()), point.label());
    }
  }
}
