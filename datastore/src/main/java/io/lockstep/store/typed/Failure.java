package io.lockstep.store.typed;

/**
 * Why an operation gave nothing and changed nothing.
 *
 * @param message names the table and key, or the component, and what to do about it
 * @param reason the words of the store or the component alone
 */
public record Failure(Cause cause, String message, String reason) {

  Failure(Cause cause, String message) {
    this(cause, message, message);
  }

  /** What kind of failure it is. */
  public enum Cause {
    /** A key, value or batch is larger than the store takes; nothing was sent. */
    OUT_OF_BOUNDS,
    /** Too much waits, no quorum could be reached, or the client is closed; try again later. */
    NOT_SENT,
    /** The replicas refused it. */
    REFUSED,
    /** The micro component that was called refused it. */
    COMPONENT_REFUSED,
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
