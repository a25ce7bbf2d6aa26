package io.lockstep.store.core;

import io.lockstep.store.Reply;

/**
 * How long the reply to a command may be. A command whose reply would be longer changes nothing.
 *
 * @param bytes as {@link ReplySize} has it
 * @param refusal the reply in its place
 */
record ReplyRoom(long bytes, Reply refusal) {
  /**
   * Every reply to a command that has changed something without a transaction is shorter, and so is
   * every refusal.
   */
  static final int LEAST_BYTES = 1 << 10;

  /** For any reply. */
  static final ReplyRoom ANY = new ReplyRoom(Long.MAX_VALUE, new Reply.Absent());

  boolean admits(Reply reply) {
    return bytes == Long.MAX_VALUE || ReplySize.of(reply) <= bytes;
  }

  /** The reply, or the refusal where it is too long; for commands that have changed nothing. */
  Reply fit(Reply reply) {
    return admits(reply) ? reply : refusal;
  }
}
