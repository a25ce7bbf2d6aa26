package io.lockstep.bench.history.nemesis;

import java.io.IOException;

/**
 * Something that is done to replicas and ended again.
 *
 * @param detail what exactly, such as {@code leader 2}
 * @param begin does it
 * @param end ends it
 */
record Fault(FaultKind kind, String detail, Step begin, Step end) {

  /** A part of it. */
  interface Step {
    void run() throws IOException, InterruptedException;
  }

  @Override
  public String toString() {
    return kind.label() + " " + detail;
  }
}
