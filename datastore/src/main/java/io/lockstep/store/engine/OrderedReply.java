package io.lockstep.store.engine;

/**
 * A service's reply to one request, and what it rests on. A reply that rests on nothing but what is
 * durable may leave before the batch that it belongs to is: whatever becomes of that batch, the
 * reply stays right.
 *
 * @param restsOn the service's {@link OrderedService#index} after the newest change that the reply
 *     tells of, 0 where it tells of none; {@link #ITS_BATCH} where it tells of its own place
 */
public record OrderedReply(byte[] bytes, long restsOn) {

  /** The reply is good only together with its batch. */
  public static final long ITS_BATCH = Long.MAX_VALUE;

  /** A reply that is good only together with its batch, as one to a write is. */
  public static OrderedReply withItsBatch(byte[] bytes) {
    return new OrderedReply(bytes, ITS_BATCH);
  }
}
