package io.lockstep.core.trace;

import java.io.IOException;
import java.nio.file.Path;

/** A trace that cannot be read, or not further: the message names file, place and remedy. */
public final class TraceException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String problem;
  private final String remedy;

  TraceException(Path file, long at, String what, String remedy) {
    super(file + ": at byte " + at + ": " + what + "; remedy: " + remedy);
    this.problem = file + ": at byte " + at + ": " + what;
    this.remedy = remedy;
  }

  /** What is wrong, and where. */
  public String problem() {
    return problem;
  }

  /** What to do. */
  public String remedy() {
    return remedy;
  }
}
