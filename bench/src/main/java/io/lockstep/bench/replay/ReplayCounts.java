package io.lockstep.bench.replay;

import java.util.concurrent.atomic.LongAdder;

/** What flows met. Thread-safe. */
final class ReplayCounts {
  private final LongAdder conflicts = new LongAdder();
  private final LongAdder gaveUp = new LongAdder();

  /** A write was refused since what it rests on had changed. */
  void conflict() {
    conflicts.increment();
  }

  /** A flow ended without its write. */
  void gaveUp() {
    gaveUp.increment();
  }

  long conflicts() {
    return conflicts.sum();
  }

  long givenUp() {
    return gaveUp.sum();
  }

  /** Begins anew. */
  void reset() {
    conflicts.reset();
    gaveUp.reset();
  }
}
