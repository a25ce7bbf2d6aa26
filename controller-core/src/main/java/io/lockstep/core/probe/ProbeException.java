package io.lockstep.core.probe;

/** A probe that cannot go on; the message says why, for people. */
public final class ProbeException extends Exception {
  private static final long serialVersionUID = 1;

  /** With the reason. */
  public ProbeException(String message) {
    super(message);
  }
}
