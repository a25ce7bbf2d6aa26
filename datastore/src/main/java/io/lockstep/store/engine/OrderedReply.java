package io.lockstep.store.engine;

/**
 * A service's reply to one request, and what it rests on. A reply that rests on nothing but what is
 * durable may leave before the batch that it belongs to is: whatever becomes of that batch, the
 * reply stays right.
 *
 * @param content what it says; turned into bytes only where it is sent
 * @param restsOn the service's {@link OrderedService#index} after the newest change that the reply
 *     depends on, 0 where it depends on none; {@link #ITS_BATCH} where it depends on its own place
 */
public record OrderedReply(Content content, long restsOn) {

  /** The reply is good only together with its batch. */
  public static final long ITS_BATCH = Long.MAX_VALUE;

  /** What a reply says. Immutable, whatever becomes of the service's state; for any thread. */
  public interface Content {
    /** No fewer bytes than {@link #encode} has, and about as many; cheap to ask. */
    long weight();

    /** The bytes, made anew with each call. */
    byte[] encode();
  }

  /** In place of a reply that there was no room for: nothing is sent, and the client asks again. */
  public static final OrderedReply DROPPED =
      new OrderedReply(
          new Content() {
            @Override
            public long weight() {
              return 0;
            }

            @Override
            public byte[] encode() {
              throw new IllegalStateException("a reply that was dropped has no bytes");
            }
          },
          ITS_BATCH);

  private record Encoded(byte[] bytes) implements Content {
    @Override
    public long weight() {
      return bytes.length;
    }

    @Override
    public byte[] encode() {
      return bytes;
    }
  }

  /** A reply that has its bytes already. */
  public OrderedReply(byte[] bytes, long restsOn) {
    this(new Encoded(bytes), restsOn);
  }

  /** A reply that is good only together with its batch, as one to a write is. */
  public static OrderedReply withItsBatch(byte[] bytes) {
    return new OrderedReply(bytes, ITS_BATCH);
  }

  /** Whether there was no room for it. */
  public boolean isDropped() {
    return content.equals(DROPPED.content);
  }

  /** The bytes to send. */
  public byte[] bytes() {
    return content.encode();
  }
}
