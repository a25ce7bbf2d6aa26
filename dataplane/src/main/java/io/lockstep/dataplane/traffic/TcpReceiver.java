package io.lockstep.dataplane.traffic;

import java.util.BitSet;
import java.util.function.Consumer;

/**
 * The receiver of a TCP connection: acknowledges every second segment, at once what comes out of
 * order or fills a gap, the rest after a delay (RFC 1122 section 4.2.3.2, RFC 5681 section 4.2);
 * selective acknowledgements tell all that arrived (RFC 2018). Numbers count segments.
 */
final class TcpReceiver {
  private static final long DELAY_NANOS = 40_000_000;

  private final VirtualTime time;
  private final Consumer<Acknowledgement> acknowledge;
  private long next;

  /** Arrived out of order; bit 0 stands for {@link #next}, which is never set. */
  private BitSet beyond = new BitSet();

  private int unacknowledged;
  private boolean timerSet;
  private long deadlineNanos;

  TcpReceiver(VirtualTime time, Consumer<Acknowledgement> acknowledge) {
    this.time = time;
    this.acknowledge = acknowledge;
  }

  /** Segments that arrived in order and are with the application. */
  long delivered() {
    return next;
  }

  void receive(long segment) {
    boolean inOrder = segment == next && beyond.isEmpty();
    if (segment > next) {
      beyond.set((int) (segment - next));
    } else if (segment == next) {
      beyond.set(0);
      int run = beyond.nextClearBit(0);
      next += run;
      beyond = beyond.get(run, Math.max(run, beyond.length()));
    }
    unacknowledged++;
    if (!inOrder || unacknowledged >= 2) {
      send();
      return;
    }
    deadlineNanos = time.nowNanos() + DELAY_NANOS;
    if (!timerSet) {
      timerSet = true;
      time.at(deadlineNanos, this::delayIsOver);
    }
  }

  private void delayIsOver() {
    timerSet = false;
    if (unacknowledged == 0) {
      return;
    } else if (time.nowNanos() < deadlineNanos) {
      timerSet = true;
      time.at(deadlineNanos, this::delayIsOver);
      return;
    }
    send();
  }

  private void send() {
    unacknowledged = 0;
    BitSet known = beyond.isEmpty() ? Acknowledgement.NONE : (BitSet) beyond.clone();
    acknowledge.accept(new Acknowledgement(next, known));
  }
}
