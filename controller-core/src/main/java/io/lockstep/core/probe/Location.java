package io.lockstep.core.probe;

/** Where a rule went. */
enum Location {
  HARDWARE,
  SOFTWARE,
  REFUSED
}
