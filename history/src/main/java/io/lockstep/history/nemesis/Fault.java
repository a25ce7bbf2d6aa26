package io.lockstep.history.nemesis;

import io.lockstep.history.nemesis.Nemesis.HangException;
import java.io.IOException;

/**
 * Something that is done to replicas and ended again.
 *
 * @param detail what exactly, such as {@code leader 2}
 * @param stopsAll whether no write can be acknowledged while it lasts: then it lasts longer than
 *     the patience of some clients, so that their operations end without an answer
 * @param begin does it
 * @param end ends it
 */
record Fault(FaultKind kind, String detail, boolean stopsAll, Step begin, Step end) {

  /** One that leaves a majority to go on. */
  Fault(FaultKind kind, String detail, Step begin, Step end) {
    this(kind, detail, false, begin, end);
  }

  /** A part of it. */
  interface Step {
    void run() throws IOException, InterruptedException, HangException;
  }

  @Override
  public String toString() {
    return kind.label() + " " + detail;
  }
}
