package io.lockstep.store.core;

import io.lockstep.store.Reply;

/**
 * Bounds the reply to a command. A command whose reply would be longer changes nothing.
 *
 * @param bytes as {@link ReplySize} counts them
 * @param refusal the reply to send in its place
 */
record ReplyRoom(long bytes, Reply refusal) {
  /**
   * Every reply to a command that has changed something without a transaction is shorter, and so is
   * every refusal.
   */
  static final int LEAST_BYTES = 1 << 10;

  /** Room for any reply. */
  static final ReplyRoom ANY = new ReplyRoom(Long.MAX_VALUE, new Reply.Absent());

  boolean admits(Reply reply) {
    return bytes == Long.MAX_VALUE || ReplySize.of(reply) <= bytes;
  }

  /**
   * The reply, or the refusal if the reply is too long. Only for commands that have changed
   * nothing.
   */
  Reply fit(Reply reply) {
    return admits(reply) ? reply : refusal;
  }
}
