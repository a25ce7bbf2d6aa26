package io.lockstep.store.log.disk;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionTail;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The newest decisions of a log, in memory: those that wait to be written, and before them those
 * that are durable and kept for peers that lag a little. Guarded by the monitor of its {@link
 * GroupWriter}.
 */
final class NewestDecisions {
  private final DiskLogOptions options;

  /** Everything after {@link #durable} is in here. */
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

  /** Whether no more waits to be written than may. */
  boolean roomLeft() {
    return pendingBytes <= options.pendingBytes();
  }

  /** Whether no more than half of what may wait to be written waits. */
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

  /** The oldest that are not durable, as many as one sync covers. There is one. */
  List<Decision> nextGroup() {
    List<Decision> group = tail.after(durable.instance(), options.groupBytes());
    if (group == null) {
      throw new IllegalStateException(
          "decisions after " + durable.instance() + " are not in memory");
    }
    return group;
  }

  /** A group that {@link #nextGroup} gave is durable. */
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

  /** The log now ends with this decision, durably; what is not after it stays. */
  void endsWith(Decision newLast, boolean sameHistory) {
    if (sameHistory) {
      tail.removeAfter(newLast.instance());
    } else {
      tail.clear();
    }
    last = newLast;
    durable = newLast;
  }

  /** The decisions after an instance, or null where the next one is not here. */
  @Nullable List<Decision> after(long instance, int maxBytes) {
    return instance == last.instance() ? List.of() : tail.after(instance, maxBytes);
  }

  /** The decision of an instance, or null where it is not here. */
  @Nullable Decision find(long instance) {
    return instance == last.instance() ? last : tail.find(instance);
  }
}
