package io.lockstep.dataplane.wire;

/**
 * What a cable can do, for each direction.
 *
 * @param delayNanos time a frame is on the way, 0 for none
 * @param queueFrames frames waiting or on the way at most; more are dropped
 * @param framesPerSecond rate above which frames are dropped, with bursts of up to a queue's
 *     length; bounds what a forwarding loop can burn
 */
public record LinkQuality(long delayNanos, int queueFrames, int framesPerSecond) {
  /** No delay, 1024 frames, 10000 frames a second. */
  public static final LinkQuality ORDINARY = new LinkQuality(0, 1024, 10_000);

  public LinkQuality {
    if (delayNanos < 0 || queueFrames < 1 || framesPerSecond < 1) {
      throw new IllegalArgumentException("delay >= 0, queue and rate >= 1 expected");
    }
  }

  /** The same with another delay. */
  public LinkQuality withDelayNanos(long nanos) {
    return new LinkQuality(nanos, queueFrames, framesPerSecond);
  }
}
