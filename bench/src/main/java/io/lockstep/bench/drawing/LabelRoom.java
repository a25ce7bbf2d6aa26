package io.lockstep.bench.drawing;

import java.util.ArrayList;
import java.util.List;

/**
 * Puts small texts beside points where they cover no other text and no point. A text for which
 * there is no room is left out, so the first texts should be the most important ones.
 */
final class LabelRoom {
  private static final double NEAR = Marker.RADIUS + 3;
  private static final double HOLLOW = Marker.HOLLOW_RADIUS + 3;
  private static final double FAR = NEAR + 9;

  private final SvgPicture picture;
  private final Area plot;
  private final List<Area> points = new ArrayList<>();

  LabelRoom(SvgPicture picture, Area plot) {
    this.picture = picture;
    this.plot = plot;
  }

  /** Keeps texts away from a filled point. */
  void keepFree(double x, double y) {
    points.add(Area.around(x, y, Marker.RADIUS));
  }

  /** Keeps texts away from a hollow point. */
  void keepHollowFree(double x, double y) {
    points.add(Area.around(x, y, Marker.HOLLOW_RADIUS));
  }

  /** Writes the text beside the point, or not at all; returns whether there was room. */
  boolean put(double x, double y, String text) {
    for (double distance : new double[] {NEAR, HOLLOW, FAR}) {
      if (putAt(x + distance, y - distance + 5, Anchor.START, text)
          || putAt(x - distance, y - distance + 5, Anchor.END, text)
          || putAt(x + distance, y + distance + 4, Anchor.START, text)
          || putAt(x - distance, y + distance + 4, Anchor.END, text)
          || putAt(x, y - distance - 1, Anchor.MIDDLE, text)
          || putAt(x, y + distance + 9, Anchor.MIDDLE, text)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Writes the text beside a vertical line, as high as there is room for it. It begins at the line,
   * so that a reader knows whose it is where lines are near each other; at the right edge it ends
   * there.
   */
  boolean putAtTop(double x, String text) {
    int line = SvgPicture.FONT_PIXELS + 3;
    double width = TextSize.width(text, SvgPicture.FONT_PIXELS, false);
    boolean fits = x + 4 + width <= plot.right();
    for (double y = plot.top() + line; y < plot.bottom(); y += line) {
      if (fits ? putAt(x + 4, y, Anchor.START, text) : putAt(x - 4, y, Anchor.END, text)) {
        return true;
      }
    }
    return false;
  }

  private boolean putAt(double x, double y, Anchor anchor, String text) {
    Area area = TextSize.area(x, y, anchor, text, SvgPicture.FONT_PIXELS, false);
    if (!plot.contains(area) || !picture.isFree(area) || points.stream().anyMatch(area::overlaps)) {
      return false;
    }
    picture.haloed(x, y, anchor, text);
    return true;
  }
}
