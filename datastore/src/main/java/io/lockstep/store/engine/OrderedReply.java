package io.lockstep.store.engine;

/**
 * A service's reply to one request, and the changes that it rests on. A reply that rests only on
 * durable changes may leave before its batch is durable: it stays correct even if that batch is
 * lost.
 *
 * @param content the reply; encoded only if it is sent
 * @param restsOn the service's {@link OrderedService#index} after the newest change that the reply
 *     depends on, 0 if it depends on none; {@link #ITS_BATCH} if it depends on its own batch
 */
public record OrderedReply(Content content, long restsOn) {

  /** The reply is correct only if its batch is not lost. */
  public static final long ITS_BATCH = Long.MAX_VALUE;

  /** The content of a reply. Immutable, also when the service's state changes. Any thread. */
  public interface Content {
    /** An upper bound on the bytes of {@link #encode}, and close to them. Cheap. */
    long weight();

    /** Encodes the reply; each call encodes again. */
    byte[] encode();
  }

  /**
   * Takes the place of a reply for which there was no room. The replica sends nothing, and the
   * client sends its request again.
   */
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

  /** A reply that is encoded already. */
  public OrderedReply(byte[] bytes, long restsOn) {
    this(new Encoded(bytes), restsOn);
  }

  /** A reply that is correct only if its batch is not lost, as a reply to a write is. */
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
