package io.lockstep.bench.drawing;

import java.util.Locale;

/** Which part of a text is at the given place. */
public enum Anchor {
  START,
  MIDDLE,
  END;

  /** The value of SVG's attribute {@code text-anchor}. */
  String attribute() {
    return name().toLowerCase(Locale.ROOT);
  }
}
