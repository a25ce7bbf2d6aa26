package io.lockstep.core.probe;

/** A probe that cannot go on; the message says why, for people. */
public final class ProbeException extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean interrupted;

  /** With the reason, which another probe would meet again. */
  public ProbeException(String message) {
    this(message, false);
  }

  private ProbeException(String message, boolean interrupted) {
    super(message);
    this.interrupted = interrupted;
  }

  /** The switch or the mastership of it was lost on the way; another probe can end well. */
  static ProbeException interrupted(String message) {
    return new ProbeException(message, true);
  }

  /** The same with more said, where cleaning up failed too; one interruption is enough. */
  ProbeException and(ProbeException cleaning, String more) {
    ProbeException both =
        new ProbeException(getMessage() + more, interrupted || cleaning.interrupted);
    both.addSuppressed(this);
    both.addSuppressed(cleaning);
    return both;
  }

  /** Whether what ended it is no property of the switch, so that another probe can end well. */
  public boolean wasInterrupted() {
    return interrupted;
  }
}
