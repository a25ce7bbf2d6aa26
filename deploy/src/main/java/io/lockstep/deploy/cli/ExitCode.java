package io.lockstep.deploy.cli;

/** How a process of ours ends. */
public final class ExitCode {
  /** Done. */
  public static final int DONE = 0;

  /** Failed: broken configuration, port in use, nobody answers. */
  public static final int FAILED = 1;

  /** The command line is wrong. */
  public static final int USAGE = 2;

  /** A tool is missing; only the script ends so. */
  public static final int MISSING = 3;

  /** {@code status}: the cluster has no quorum. */
  public static final int NO_QUORUM = 4;

  /** The replica halted, so the process ended itself: start it anew. */
  public static final int HALTED = 10;

  private ExitCode() {}
}
