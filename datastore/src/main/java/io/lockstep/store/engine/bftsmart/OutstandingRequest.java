package io.lockstep.store.engine.bftsmart;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/**
 * One outstanding request of a client and the replies to it. Owned by the client's event loop; only
 * the future is visible to other threads.
 */
final class OutstandingRequest {
  private static final int FEW = 4;

  /** A replica's reply, and its place in the history. */
  private record Reply(
      int replica, int sequence, int regency, long instance, byte[] chain, byte[] bytes) {
    boolean agreesWith(Reply other) {
      return sequence == other.sequence
          && regency == other.regency
          && instance == other.instance
          && Arrays.equals(chain, other.chain)
          && Arrays.equals(bytes, other.bytes);
    }
  }

  final byte[] content;
  final CompletableFuture<byte[]> result = new CompletableFuture<>();
  final long deadlineNanos;

  /**
   * The sequence numbers of its attempts, the latest last; the first {@code attempts} are in use.
   */
  int[] sequences = new int[1];

  int attempts;

  /** The client session of the latest attempt. */
  int session;

  long retryAtNanos;

  /** The time of the first attempt. */
  long sentNanos;

  /** The replicas that have the latest attempt, one bit each. */
  int writtenTo;

  private Reply[] replies = new Reply[FEW];
  private int replyCount;

  OutstandingRequest(byte[] content, long deadlineNanos) {
    this.content = content;
    this.deadlineNanos = deadlineNanos;
  }

  /** Starts a new attempt under this number. Replies to earlier attempts still count. */
  void sentAs(int inSession, int sequence) {
    session = inSession;
    if (attempts == sequences.length) {
      sequences = Arrays.copyOf(sequences, 2 * attempts);
    }
    sequences[attempts++] = sequence;
    writtenTo = 0;
  }

  /** When it is sent again, or given up. */
  long dueNanos() {
    return retryAtNanos - deadlineNanos < 0 ? retryAtNanos : deadlineNanos;
  }

  int latestSequence() {
    return sequences[attempts - 1];
  }

  /**
   * Adds a reply.
   *
   * @return whether enough replicas have sent the same reply from the same place in the history
   */
  boolean agreed(
      int replica,
      int sequence,
      int regency,
      long instance,
      byte[] chain,
      byte[] bytes,
      int needed) {
    Reply reply = new Reply(replica, sequence, regency, instance, chain, bytes);
    int equal = 1;
    for (int i = 0; i < replyCount; i++) {
      if (replies[i].agreesWith(reply)) {
        if (replies[i].replica == replica) {
          return false;
        }
        equal++;
      }
    }
    if (equal >= needed) {
      return true;
    }
    if (replyCount == replies.length) {
      replies = Arrays.copyOf(replies, 2 * replyCount);
    }
    replies[replyCount++] = reply;
    return false;
  }
}
