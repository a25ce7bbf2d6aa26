package io.lockstep.store.typed;

/**
 * Why an operation gave nothing and changed nothing.
 *
 * @param message names table and key, and what to do about it
 */
public record Failure(Cause cause, String message) {

  /** What kind of failure it is. */
  public enum Cause {
    /** A key, value or batch is larger than the store takes; nothing was sent. */
    OUT_OF_BOUNDS,
    /** Too much waits, no quorum could be reached, or the client is closed; try again later. */
    NOT_SENT,
    /** The replicas refused it. */
    REFUSED,
    /** A read got no answer in time. */
    NO_ANSWER,
    /** The store holds bytes that the codec cannot read. */
    UNDECODABLE
  }

  /** The failure as an exception. */
  public FailedException exception() {
    return new FailedException(this);
  }
}
