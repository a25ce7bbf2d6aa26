package io.lockstep.yaml;

import java.io.IOException;

/**
 * A file that is not there, cannot be read, is too large, or is no text. Says where and a remedy.
 */
public final class UnreadableFileException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  UnreadableFileException(String file, Problem problem) {
    super(problem.describe(file));
    this.problem = problem;
  }

  /** What is wrong. */
  public Problem problem() {
    return problem;
  }
}
