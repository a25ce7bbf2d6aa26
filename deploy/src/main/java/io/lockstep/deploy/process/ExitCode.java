package io.lockstep.deploy.process;

/**
 * How a process of ours ends. A Java virtual machine that cannot start ends with 1, so a node or a
 * replica never ends with 1 itself.
 */
public final class ExitCode {
  /** Done. */
  public static final int DONE = 0;

  /** A command other than {@code node} and {@code replica} failed, or no node answers. */
  public static final int FAILED = 1;

  /** The command line is wrong. */
  public static final int USAGE = 2;

  /** A tool is missing; only the script ends so. */
  public static final int MISSING = 3;

  /** {@code status}: the cluster has no quorum. */
  public static final int NO_QUORUM = 4;

  /** A command that changes something decided on a version that is no longer the newest. */
  public static final int OUTDATED = 5;

  /** The replica halted, so the process ended itself: start it anew. */
  public static final int HALTED = 10;

  /**
   * The node or replica could not start or go on, for a reason that may pass: full disk, port in
   * use, too few files or too little memory.
   */
  public static final int TRY_AGAIN = 11;

  /**
   * The node or replica ended, and ends again until a person has changed something: a wrong
   * configuration, damaged files, a newer format.
   */
  public static final int NEEDS_PERSON = 12;

  private ExitCode() {}
}
