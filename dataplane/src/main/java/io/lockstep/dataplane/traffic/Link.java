package io.lockstep.dataplane.traffic;

/** One direction of an Ethernet link: packets one after the other, in no time but their own. */
public final class Link {
  /** Preamble, check sequence and gap around a frame. */
  static final int OVERHEAD_BYTES = 24;

  /** The smallest frame without its check sequence. */
  static final int SMALLEST_BYTES = 60;

  private final long rateMbit;
  private final long queueNanos;
  private long freeAtNanos;
  private long drops;

  /**
   * @param queueNanos how long a packet may wait for those before it; else it is dropped
   */
  public Link(int rateMbit, long queueNanos) {
    this.rateMbit = rateMbit;
    this.queueNanos = queueNanos;
  }

  /**
   * Sends a frame.
   *
   * @param bytes of the frame, without check sequence
   * @return when its last bit is out, or {@link SwitchUnderTest#LOST}
   */
  long send(int bytes, long nowNanos) {
    long startNanos = Math.max(nowNanos, freeAtNanos);
    if (startNanos - nowNanos > queueNanos) {
      drops++;
      return SwitchUnderTest.LOST;
    }
    long bits = 8L * (Math.max(bytes, SMALLEST_BYTES) + OVERHEAD_BYTES);
    freeAtNanos = startNanos + bits * 1000 / rateMbit;
    return freeAtNanos;
  }

  /** Packets dropped so far. */
  public long drops() {
    return drops;
  }
}
