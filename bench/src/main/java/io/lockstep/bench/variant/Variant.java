package io.lockstep.bench.variant;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The columns of the paper's tables, each with all that those before it have, and the product's own
 * way.
 */
public enum Variant {
  /** Tables of values; a replace carries the old value. */
  INIT,
  /** References are followed in the store. */
  CREF,
  /** A replace carries the version that it was decided on. */
  VERS,
  /** Rows, of which only the columns that are needed are read and written. */
  COLS,
  /** What belongs together is one micro component. */
  MICRO,
  /** What the node's cache knows is not asked (table II). */
  CACHE,
  /** The product's. */
  OWN;

  /** As the paper writes it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The variant with this label, if there is one. */
  public static Optional<Variant> of(String label) {
    return Arrays.stream(values()).filter(one -> one.label().equals(label)).findFirst();
  }

  /** Whether this column has what an earlier one introduced. */
  boolean has(Variant earlier) {
    return compareTo(earlier) >= 0;
  }
}
