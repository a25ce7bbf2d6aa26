package io.lockstep.core.probe;

import java.util.Locale;

/** Where a rule went. */
enum Location {
  HARDWARE,
  SOFTWARE,
  REFUSED;

  /** As reports have it. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
