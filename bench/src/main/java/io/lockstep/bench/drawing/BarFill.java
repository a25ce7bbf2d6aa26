package io.lockstep.bench.drawing;

/** How a bar looks. Readers tell the three apart by their brightness. */
public enum BarFill {
  /** Ours. */
  DARK("#1f5f99"),
  /** Ours, the second part of a bar. */
  LIGHT("#a9cbe8"),
  /** What ours is compared with. */
  HOLLOW("white");

  private final String colour;

  BarFill(String colour) {
    this.colour = colour;
  }

  String style() {
    return "fill=\"" + colour + "\" stroke=\"black\" stroke-width=\"0.8\" class=\"bar\"";
  }
}
