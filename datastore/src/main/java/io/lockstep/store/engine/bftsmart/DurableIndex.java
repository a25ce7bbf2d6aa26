package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.log.Decision;
import java.util.ArrayDeque;

/**
 * Decides which replies may leave before their decision is durable: those that rest only on changes
 * already durable below a decision of the same regency. Those changes last, no matter which of the
 * later decisions are lost (docs/adr/0011). Not thread-safe.
 */
final class DurableIndex {
  private record Mark(long instance, long index) {}

  /** The service's index after each decision that was not durable at the last check. */
  private final ArrayDeque<Mark> marks = new ArrayDeque<>();

  private long index;

  /** Starts with a new state, all of which is durable. */
  void begin(long durableIndex) {
    marks.clear();
    index = durableIndex;
  }

  /**
   * Records an applied decision.
   *
   * @param indexAfter the service's index after it
   * @param durable the last durable decision
   */
  void applied(long instance, long indexAfter, Decision durable) {
    marks.add(new Mark(instance, indexAfter));
    Mark first = marks.peek();
    while (first != null && first.instance <= durable.instance()) {
      index = first.index;
      marks.remove();
      first = marks.peek();
    }
  }

  /**
   * Whether a reply may leave at once.
   *
   * @param regency of the decision that it belongs to
   * @param durable as passed to {@link #applied} for that decision
   */
  boolean admits(OrderedReply reply, int regency, Decision durable) {
    return reply.restsOn() <= index && durable.regency() == regency;
  }
}
