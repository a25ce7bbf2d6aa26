package io.lockstep.dataplane.traffic;

/** Packets of one size at a constant rate, whether they arrive or not. */
public final class ConstantFlow implements Flow {
  private final OneWay path;
  private final double intervalNanos;
  private final int bytes;
  private long startNanos;
  private long sent;
  private long delivered;

  /**
   * @param packetsPerSecond more than 0
   * @param bytes of a frame
   */
  public ConstantFlow(OneWay path, double packetsPerSecond, int bytes) {
    if (!(packetsPerSecond > 0)) {
      throw new IllegalArgumentException("a rate above 0, not " + packetsPerSecond);
    }
    this.path = path;
    this.intervalNanos = 1e9 / packetsPerSecond;
    this.bytes = bytes;
  }

  @Override
  public void start() {
    startNanos = path.time().nowNanos();
    send();
  }

  private void send() {
    path.send(bytes, () -> delivered++);
    sent++;
    // From the start, so that rounding does not add up.
    path.time().at(startNanos + (long) (sent * intervalNanos), this::send);
  }

  /** Packets sent so far. */
  public long sent() {
    return sent;
  }

  /** Packets that arrived so far. */
  public long delivered() {
    return delivered;
  }

  /** Bytes of whole frames. */
  @Override
  public long deliveredBytes() {
    return delivered * bytes;
  }
}
