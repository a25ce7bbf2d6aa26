package io.lockstep.store.log.disk;

import java.io.IOException;

/** A directory or backup that must not be used. The message names it, says why, and what to do. */
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Why. */
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
    /** Something in it is not as it was written, and cannot be made up for. */
    DAMAGED,
    /** The disk does not give a part of it that cannot be made up for; it may the next time. */
    UNREADABLE,
    /** The disk has too little room. */
    NO_SPACE,
    /** A directory that should be empty is not, or a file exists that should be written. */
    NOT_EMPTY,
    /** Nothing was ever kept in it. */
    EMPTY
  }

  private final Reason reason;

  RefusedException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Why it is refused. */
  public Reason reason() {
    return reason;
  }
}
