package io.lockstep.store.log.disk;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionTail;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The newest decisions of a log, in memory: those that wait to be written, and the durable ones
 * before them, which peers ask for that lag a little. Guarded by the monitor of its {@link
 * GroupWriter}.
 */
final class NewestDecisions {
  private final DiskLogOptions options;

  /** All decisions after {@link #durable}, and some before. */
  private final DecisionTail tail;

  private Decision last;
  private Decision durable;
  private long pendingBytes;

  /**
   * @param last the last decision of the log, which is durable
   */
  NewestDecisions(DiskLogOptions options, DecisionTail tail, Decision last) {
    this.options = options;
    this.tail = tail;
    this.last = last;
    this.durable = last;
  }

  Decision last() {
    return last;
  }

  Decision durable() {
    return durable;
  }

  boolean allDurable() {
    return durable.instance() == last.instance();
  }

  /** Whether the decisions that wait to be written are within their bound. */
  boolean roomLeft() {
    return pendingBytes <= options.pendingBytes();
  }

  /** Whether the decisions that wait to be written use at most half of their bound. */
  boolean keepsUp() {
    return pendingBytes <= options.pendingBytes() / 2;
  }

  /** Adds the decision after the last. */
  void add(Decision decision) {
    if (decision.instance() != last.instance() + 1) {
      throw new IllegalStateException(
          "instance " + decision.instance() + " appended after " + last.instance());
    }
    tail.add(decision);
    last = decision;
    pendingBytes += Records.bytesOf(decision);
  }

  /**
   * The oldest decisions that are not durable, as many as one sync covers. There is at least one.
   */
  List<Decision> nextGroup() {
    List<Decision> group = tail.after(durable.instance(), options.groupBytes());
    if (group == null) {
      throw new IllegalStateException(
          "decisions after " + durable.instance() + " are not in memory");
    }
    return group;
  }

  /** The group from {@link #nextGroup} is durable. */
  void synced(List<Decision> group) {
    for (Decision decision : group) {
      durable = decision;
      pendingBytes -= Records.bytesOf(decision);
    }
    while (tail.size() > 1
        && tail.bytes() > options.tailBytes()
        && tail.first() <= durable.instance()) {
      tail.removeFirst();
    }
  }

  /** The log now ends with this decision, which is durable; removes the later ones. */
  void endsWith(Decision newLast, boolean sameHistory) {
    if (sameHistory) {
      tail.removeAfter(newLast.instance());
    } else {
      tail.clear();
    }
    last = newLast;
    durable = newLast;
  }

  /** The decisions after an instance, or null if the next one is not in memory. */
  @Nullable List<Decision> after(long instance, int maxBytes) {
    return instance == last.instance() ? List.of() : tail.after(instance, maxBytes);
  }

  /** The decision of an instance, or null if it is not in memory. */
  @Nullable Decision find(long instance) {
    return instance == last.instance() ? last : tail.find(instance);
  }
}
