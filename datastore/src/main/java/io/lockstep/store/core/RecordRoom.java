package io.lockstep.store.core;

import io.lockstep.store.Reply;

/**
 * Counts the memory of the recorded replies of all sessions, and bounds it. A session may record
 * more only while its own records take no more than what is left for all (a dynamic threshold,
 * Choudhury and Hahne, IEEE/ACM Transactions on Networking 6, 1998): a session that is alone gets
 * half, and however many sessions hold all that they can, the next one still finds a share. A
 * session without records may always record a small reply, so each session can go on one operation
 * at a time. Records of ended sessions are forgotten when open ones need their room.
 *
 * <p>These counts are a part of the state: every replica admits and refuses the same.
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

  /** The reply to an operation for which there is no room. */
  Reply refusal() {
    return refusal;
  }

  /** The bytes that a session may still record, which holds {@code held} now. */
  long left(long held) {
    return bounds.recordBytes() - open - held;
  }

  /** An open session recorded these bytes, or dropped them where negative. */
  void hold(long more) {
    open += more;
  }

  /** An ended session recorded these bytes: the reply to its own end. */
  void holdEnded(long more) {
    ended += more;
  }

  /** A session ended; its records have these bytes. */
  void end(long held) {
    open -= held;
    ended += held;
  }

  /** Records of an ended session, of these bytes, were forgotten. */
  void forget(long held) {
    ended -= held;
  }

  /** Whether an ended session has to be forgotten. */
  boolean overfull() {
    return ended > 0 && open + ended > bounds.recordBytes();
  }

  /** The bytes of all records. */
  long bytes() {
    return open + ended;
  }
}
