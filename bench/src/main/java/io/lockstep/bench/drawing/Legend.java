package io.lockstep.bench.drawing;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Samples of what is on a picture, with their names, in rows from left to right. */
public final class Legend {
  private static final double SAMPLE = 40;
  private static final double GAP = 22;
  private static final double ROW = 18;

  private final List<Entry> entries = new ArrayList<>();

  /** Draws a sample that begins at x and has its middle at y. */
  private interface Sample {
    void draw(SvgPicture picture, double x, double y);
  }

  private record Entry(String name, Sample sample) {
    double width() {
      return SAMPLE + 6 + TextSize.width(name, SvgPicture.FONT_PIXELS, false) + GAP;
    }
  }

  /** Adds a curve of ours. */
  public void curve(String name, LineStyle style) {
    entries.add(
        new Entry(
            name,
            (picture, x, y) -> {
              picture.line(x, y, x + SAMPLE, y, style.stroke());
              style.marker().solid(picture, x + SAMPLE / 2, y, style.colour());
            }));
  }

  /** Adds values to compare with. */
  public void reference(String name, Marker marker, boolean dashed) {
    entries.add(
        new Entry(
            name,
            (picture, x, y) -> {
              if (dashed) {
                picture.line(x, y, x + SAMPLE, y, CurvePanel.DASHED);
              }
              marker.hollow(picture, x + SAMPLE / 2, y);
            }));
  }

  /** Adds values to compare with whose y is not known. */
  public void vertical(String name) {
    entries.add(
        new Entry(
            name,
            (picture, x, y) ->
                picture.line(x + SAMPLE / 2, y - 8, x + SAMPLE / 2, y + 8, CurvePanel.DOTTED)));
  }

  /** Adds a kind of bar. */
  public void bar(String name, BarFill fill) {
    entries.add(
        new Entry(
            name,
            (picture, x, y) ->
                picture.rectangle(new Area(x, y - 5, x + SAMPLE, y + 5), fill.style())));
  }

  /** Whether there is no entry. */
  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** How high it is within so many pixels of width. */
  public double height(double width) {
    return arrange(null, 0, 0, width);
  }

  /** Draws it; its upper left corner is at the given place. */
  public void draw(SvgPicture picture, double left, double top, double width) {
    arrange(picture, left, top, width);
  }

  private double arrange(@Nullable SvgPicture picture, double left, double top, double width) {
    double x = 0;
    double y = ROW / 2;
    for (Entry entry : entries) {
      if (x > 0 && x + entry.width() - GAP > width) {
        x = 0;
        y += ROW;
      }
      if (picture != null) {
        entry.sample().draw(picture, left + x, top + y);
        picture.text(left + x + SAMPLE + 6, top + y + 4, Anchor.START, entry.name());
      }
      x += entry.width();
    }
    return entries.isEmpty() ? 0 : y + ROW / 2;
  }
}
