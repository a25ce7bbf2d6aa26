package io.lockstep.bench.drawing;

/** A rectangle on a picture, in pixels from the upper left corner. */
public record Area(double left, double top, double right, double bottom) {
  /** Its width, in pixels. */
  public double width() {
    return right - left;
  }

  /** Its height, in pixels. */
  public double height() {
    return bottom - top;
  }

  /** The square around a point, {@code radius} to each side. */
  static Area around(double x, double y, double radius) {
    return new Area(x - radius, y - radius, x + radius, y + radius);
  }

  /** Whether both have a point in common, their edges aside. */
  public boolean overlaps(Area other) {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }

  /** Whether the other lies inside of this one, edges included. */
  public boolean contains(Area other) {
    return left <= other.left && other.right <= right && top <= other.top && other.bottom <= bottom;
  }
}
