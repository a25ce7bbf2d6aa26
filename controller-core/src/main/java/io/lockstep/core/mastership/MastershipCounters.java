package io.lockstep.core.mastership;

import io.lockstep.store.measure.DurationHistogram;
import java.util.concurrent.atomic.LongAdder;

/** What happened to the masterships of this node since its start. Thread-safe to read. */
public final class MastershipCounters {
  private final LongAdder claims = new LongAdder();
  private final LongAdder handedOver = new LongAdder();
  private final LongAdder notHandedOver = new LongAdder();
  private final DurationHistogram handOvers = new DurationHistogram();

  MastershipCounters() {}

  /** How often this node became master of a domain that had no living master. */
  public long claims() {
    return claims.sum();
  }

  /** How many domains this node handed to another node while both worked. */
  public long handedOver() {
    return handedOver.sum();
  }

  /** How often a hand-over was given up; this node kept the domain. */
  public long notHandedOver() {
    return notHandedOver.sum();
  }

  /** How long hand-overs took, from the decision until the store named the next master. */
  public DurationHistogram.Reading handOvers() {
    return handOvers.read();
  }

  void claimed() {
    claims.increment();
  }

  void handedOver(long nanos) {
    handedOver.increment();
    handOvers.record(nanos);
  }

  void gaveUp() {
    notHandedOver.increment();
  }
}
