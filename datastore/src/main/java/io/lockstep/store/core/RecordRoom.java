package io.lockstep.store.core;

import io.lockstep.store.Reply;

/**
 * What the recorded replies of all sessions take together, and may take. A session may take more
 * only while what it holds stays within what is left for all (a dynamic threshold, Choudhury and
 * Hahne, IEEE/ACM Transactions on Networking 6, 1998): alone it gets half, and beside n that hold
 * all they can one more still finds a share. A session that holds nothing may always take a small
 * reply, so none is ever kept from going on one step at a time. Sessions that ended give way to
 * open ones.
 *
 * <p>All of it is state: every replica admits and refuses the same.
 */
final class RecordRoom {
  private StateBounds bounds = StateBounds.NONE;
  private Reply refusal = Refusals.noRoomForReply(bounds);
  private long open;
  private long ended;

  void bounds(StateBounds inForce) {
    bounds = inForce;
    refusal = Refusals.noRoomForReply(inForce);
  }

  /** The reply to an operation that finds no room. */
  Reply refusal() {
    return refusal;
  }

  /** How many bytes more a session may take. */
  long left(long held) {
    return bounds.recordBytes() - open - held;
  }

  /** An open session holds so much more, or less. */
  void hold(long more) {
    open += more;
  }

  /** A session that has ended holds so much more: the reply to its own end. */
  void holdEnded(long more) {
    ended += more;
  }

  /** A session has ended that holds so much. */
  void end(long held) {
    open -= held;
    ended += held;
  }

  /** A session that ended holds so much less. */
  void forget(long held) {
    ended -= held;
  }

  /** Whether a session that ended has to be forgotten. */
  boolean overfull() {
    return ended > 0 && open + ended > bounds.recordBytes();
  }

  /** What is held, in bytes. */
  long bytes() {
    return open + ended;
  }
}
