package io.lockstep.dataplane.wire;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * One direction of a cable: a bounded queue between the sender's thread and the receiver's. The
 * receiver takes a limited batch at a time, so that a storm on one wire leaves room for everything
 * else on that thread.
 */
public final class Wire {
  private static final int BATCH_FRAMES = 64;

  private final Station target;
  private final int targetPort;
  private final LinkQuality quality;
  private final NetworkClock clock;
  private final LinkedBlockingQueue<Transit> queue;
  private final AtomicBoolean draining = new AtomicBoolean();
  private final LongAdder carried = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final long burstNanos;
  private final long nanosPerFrame;
  private volatile boolean up = true;

  /** Sender's thread: the time up to which the allowed rate is used. */
  private long usedUntilNanos;

  Wire(Station target, int targetPort, LinkQuality quality, NetworkClock clock) {
    this.target = target;
    this.targetPort = targetPort;
    this.quality = quality;
    this.clock = clock;
    // Takes memory for what is in it alone: a network has thousands of wires, nearly all empty.
    this.queue = new LinkedBlockingQueue<>(quality.queueFrames());
    this.nanosPerFrame = TimeUnit.SECONDS.toNanos(1) / quality.framesPerSecond();
    this.burstNanos = nanosPerFrame * Math.max(1, quality.queueFrames() / 4);
  }

  /**
   * Sends a frame from the owner's thread of the other end.
   *
   * @param frame shared from now on, must not be written to
   * @return false when it was dropped: cable cut or queue full
   */
  public boolean send(byte[] frame) {
    long now = clock.nanos();
    // A frame leaves at the link's rate, but a burst after a pause leaves at once.
    long usedUntil = Math.max(usedUntilNanos, now) + nanosPerFrame;
    long dueNanos = Math.max(now, usedUntil - burstNanos) + quality.delayNanos();
    if (!up || !queue.offer(new Transit(frame, dueNanos))) {
      dropped.increment();
      return false;
    }
    usedUntilNanos = usedUntil;
    if (draining.compareAndSet(false, true)) {
      target.loop().execute(this::drain);
    }
    return true;
  }

  /** On the receiver's thread; at most one is scheduled or running, see {@link #draining}. */
  private void drain() {
    for (int i = 0; i < BATCH_FRAMES; i++) {
      Transit transit = queue.peek();
      if (transit == null) {
        break;
      }
      long waitNanos = transit.dueNanos - clock.nanos();
      if (waitNanos > 0) {
        clock.schedule(target.loop(), waitNanos, this::drain);
        return;
      }
      queue.remove();
      deliver(transit.frame);
    }
    draining.set(false);
    if (!queue.isEmpty() && draining.compareAndSet(false, true)) {
      target.loop().execute(this::drain);
    }
  }

  private void deliver(byte[] frame) {
    if (!up) {
      dropped.increment();
      return;
    }
    carried.increment();
    target.receive(targetPort, frame);
  }

  /** Cuts or mends; frames on the way when it is cut are lost. */
  void setUp(boolean now) {
    up = now;
  }

  /** Frames handed to the receiver. */
  public long carried() {
    return carried.sum();
  }

  /** Frames lost to the cut or the full queue. */
  public long dropped() {
    return dropped.sum();
  }

  private record Transit(byte[] frame, long dueNanos) {}
}
