package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.log.Decision;
import java.util.ArrayDeque;

/**
 * Which replies may leave although their decision is not durable yet: those that rest on changes
 * which are durable below a decision of the same regency. Whatever becomes of the decisions after
 * those changes, they last (docs/adr/0011). Not thread-safe.
 */
final class DurableIndex {
  private record Mark(long instance, long index) {}

  /** Where the service's index was after each decision that was not durable when last seen. */
  private final ArrayDeque<Mark> marks = new ArrayDeque<>();

  private long index;

  /** The state is made anew; whatever it holds to begin with is durable. */
  void begin(long durableIndex) {
    marks.clear();
    index = durableIndex;
  }

  /**
   * A decision was applied.
   *
   * @param indexAfter the service's
   * @param durable the last decision that is
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
   * @param durable as {@link #applied} was told of that decision
   */
  boolean admits(OrderedReply reply, int regency, Decision durable) {
    return reply.restsOn() <= index && durable.regency() == regency;
  }
}
