package io.lockstep.bench.replay;

/**
 * One recorded operation: its type and its sizes.
 *
 * @param isWrite whether it is ordered as a write
 * @param requestBytes of the encoded operation
 * @param replyBytes of the encoded reply; 0 where a read found nothing
 */
public record Message(boolean isWrite, int requestBytes, int replyBytes) {
  /** More than an operation of any workload has, and less than the store takes. */
  public static final int MOST_BYTES = 1 << 16;

  public Message {
    if (requestBytes < 0
        || requestBytes > MOST_BYTES
        || replyBytes < 0
        || replyBytes > MOST_BYTES) {
      throw new IllegalArgumentException(
          "a message of " + requestBytes + " and " + replyBytes + " bytes");
    }
  }
}
