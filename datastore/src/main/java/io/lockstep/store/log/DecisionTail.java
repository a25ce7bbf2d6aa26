package io.lockstep.store.log;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The newest decisions, in memory, without gaps. Grows until its owner removes the oldest. Not
 * thread-safe.
 */
public final class DecisionTail {
  /** Memory of a decision beside its value, about, in bytes. */
  static final int OVERHEAD_BYTES = 128;

  private @Nullable Decision[] ring = new @Nullable Decision[64];
  private long first;
  private int size;
  private long bytes;

  /** The number of decisions. */
  public int size() {
    return size;
  }

  /** Their memory, about, in bytes. */
  public long bytes() {
    return bytes;
  }

  /** The instance of the oldest decision; undefined if there is none. */
  public long first() {
    return first;
  }

  /** The newest decision, or null if there is none. */
  public @Nullable Decision last() {
    return size == 0 ? null : ring[slot(first + size - 1)];
  }

  /** The decision of an instance, or null if it is not in memory. */
  public @Nullable Decision find(long instance) {
    return instance < first || instance >= first + size ? null : ring[slot(instance)];
  }

  /** Adds the next decision; an empty tail accepts any. */
  public void add(Decision decision) {
    if (size == 0) {
      first = decision.instance();
    } else if (decision.instance() != first + size) {
      throw new IllegalStateException(
          "instance " + decision.instance() + " after " + (first + size - 1));
    }
    if (size == ring.length) {
      grow();
    }
    ring[slot(decision.instance())] = decision;
    size++;
    bytes += bytesOf(decision);
  }

  private void grow() {
    @Nullable Decision[] old = ring;
    ring = new @Nullable Decision[2 * old.length];
    for (long instance = first; instance < first + size; instance++) {
      ring[slot(instance)] = old[(int) (instance & (old.length - 1))];
    }
  }

  /** Removes the oldest decision, which exists. */
  public void removeFirst() {
    bytes -= bytesOf(take(first));
    first++;
    size--;
  }

  /** Removes the decisions after an instance. */
  public void removeAfter(long instance) {
    while (size > 0 && first + size - 1 > instance) {
      bytes -= bytesOf(take(first + size - 1));
      size--;
    }
  }

  /** Removes all decisions. */
  public void clear() {
    removeAfter(-1);
  }

  /**
   * The decisions after an instance, as many as fit into {@code maxBytes}, at least one where there
   * is one.
   *
   * @return null where the next one is not here
   */
  public @Nullable List<Decision> after(long instance, int maxBytes) {
    if (size == 0 || instance < first - 1 || instance >= first + size) {
      return null;
    }
    List<Decision> found = new ArrayList<>();
    long total = 0;
    for (long next = instance + 1; next < first + size; next++) {
      Decision decision = ring[slot(next)];
      total += decision == null ? 0 : decision.value().length + Decision.CHAIN_BYTES;
      if (decision == null || (!found.isEmpty() && total > maxBytes)) {
        break;
      }
      found.add(decision);
    }
    return found;
  }

  private Decision take(long instance) {
    int slot = slot(instance);
    Decision decision = ring[slot];
    ring[slot] = null;
    if (decision == null) {
      throw new IllegalStateException("no decision for instance " + instance);
    }
    return decision;
  }

  private int slot(long instance) {
    return (int) (instance & (ring.length - 1));
  }

  private static long bytesOf(Decision decision) {
    return decision.value().length + (long) OVERHEAD_BYTES;
  }
}
