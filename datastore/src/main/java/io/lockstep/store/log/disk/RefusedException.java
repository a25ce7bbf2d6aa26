package io.lockstep.store.log.disk;

import java.io.IOException;

/**
 * Reports a directory or backup that must not be used. The message names it, the reason, and a
 * remedy.
 */
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Reasons of a refusal. */
  public enum Reason {
    /** Another process uses the directory. */
    LOCKED,
    /** There is a file where a directory should be, or nothing. */
    NOT_A_DIRECTORY,
    /** It belongs to another cluster. */
    OTHER_CLUSTER,
    /** It belongs to another replica of the same cluster. */
    OTHER_REPLICA,
    /** It was written by a newer version of Lockstep. */
    NEWER_FORMAT,
    /** A part of it is not as it was written, and no other file holds that part. */
    DAMAGED,
    /** The disk does not return a part of it that no other file holds; it may the next time. */
    UNREADABLE,
    /** The disk has too little room. */
    NO_SPACE,
    /** A directory is not empty that should be, or a file exists that should be written. */
    NOT_EMPTY,
    /** It never held a log. */
    EMPTY
  }

  private final Reason reason;

  RefusedException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** The reason of the refusal. */
  public Reason reason() {
    return reason;
  }
}
