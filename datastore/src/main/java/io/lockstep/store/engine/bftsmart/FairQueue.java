package io.lockstep.store.engine.bftsmart;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Requests in one queue for each client, served fairly by bytes. It is deficit round robin in which
 * a client that had nothing queued comes first (RFC 8290 section 4.2, without its dropping). A
 * small request waits for one large one at most, however many of those other clients have queued. A
 * client with large requests gets as many bytes as any other.
 *
 * <p>A client counts as new only with requests within its quantum. A large request queues among the
 * old clients from the beginning.
 *
 * <p>Not thread-safe. All operations take constant time, with two exceptions. {@link #poll} visits
 * each client once forevery quantum in a request, and {@link #has} visits each client. With a
 * bound, both also visit the clients whose requests are larger.
 *
 * @param <R> a request; two that are equal are one
 */
final class FairQueue<R> {
  /** Bytes that a client may send in one round. */
  static final int QUANTUM_BYTES = 64 << 10;

  private static final class Flow<R> {
    final Object client;
    final LinkedHashSet<R> requests = new LinkedHashSet<>();

    /** Bytes that it may still send in this round. */
    int deficit = QUANTUM_BYTES;

    boolean isNew;

    Flow(Object client) {
      this.client = client;
    }
  }

  private final ToIntFunction<R> bytesOf;

  /** All clients in one of the two lists below, including one whose queue has just become empty. */
  private final Map<Object, Flow<R>> flows = new HashMap<>();

  private final LinkedHashSet<Flow<R>> newFlows = new LinkedHashSet<>();
  private final LinkedHashSet<Flow<R>> oldFlows = new LinkedHashSet<>();
  private int size;

  /**
   * @param bytesOf a request's, 0 or more, always the same
   */
  FairQueue(ToIntFunction<R> bytesOf) {
    this.bytesOf = bytesOf;
  }

  /** Adds a request at the end of its client's queue. */
  void add(Object client, R request) {
    Flow<R> flow = flows.get(client);
    if (flow == null) {
      flow = new Flow<>(client);
      flows.put(client, flow);
      flow.isNew = bytesOf.applyAsInt(request) <= QUANTUM_BYTES;
      listOf(flow).add(flow);
    }
    if (flow.requests.add(request)) {
      size++;
    }
  }

  private Set<Flow<R>> listOf(Flow<R> flow) {
    return flow.isNew ? newFlows : oldFlows;
  }

  /** Removes a request, if it is queued. */
  void remove(Object client, R request) {
    Flow<R> flow = flows.get(client);
    if (flow != null && flow.requests.remove(request)) {
      size--;
      if (flow.requests.isEmpty()) {
        listOf(flow).remove(flow);
        flows.remove(client);
      }
    }
  }

  /**
   * Removes and returns the next request. Skips clients whose first request has more than {@code
   * largest} bytes; they keep their places.
   *
   * @return null if there is none, or if it has more than {@code mostBytes}
   */
  @Nullable R poll(int mostBytes, int largest) {
    while (size > 0) {
      Flow<R> flow = first(largest);
      if (flow == null) {
        return null;
      }
      boolean fromNew = flow.isNew;
      if (flow.requests.isEmpty()) {
        retire(flow);
        continue;
      }
      R request = flow.requests.iterator().next();
      int bytes = bytesOf.applyAsInt(request);
      if (fromNew ? bytes > flow.deficit : flow.deficit <= 0) {
        flow.deficit = Math.min(QUANTUM_BYTES, flow.deficit + QUANTUM_BYTES);
        toTheEnd(flow);
        continue;
      }
      if (bytes > mostBytes) {
        return null;
      }
      flow.requests.remove(request);
      flow.deficit -= bytes;
      size--;
      return request;
    }
    clear();
    return null;
  }

  /** The client whose turn it is, even if it has nothing queued; null if all are skipped. */
  private @Nullable Flow<R> first(int largest) {
    if (!newFlows.isEmpty()) {
      return newFlows.iterator().next();
    }
    for (Flow<R> flow : oldFlows) {
      if (flow.requests.isEmpty() || begins(flow, largest)) {
        return flow;
      }
    }
    return null;
  }

  private boolean begins(Flow<R> flow, int largest) {
    return largest == Integer.MAX_VALUE
        || bytesOf.applyAsInt(flow.requests.iterator().next()) <= largest;
  }

  /** Whether {@link #poll} finds a request that has no more than {@code largest}. */
  boolean has(int largest) {
    if (largest == Integer.MAX_VALUE) {
      return size > 0;
    }
    for (Flow<R> flow : flows.values()) {
      if (!flow.requests.isEmpty() && begins(flow, largest)) {
        return true;
      }
    }
    return false;
  }

  /** Keeps a new client without requests for one round. Otherwise it would always be new. */
  private void retire(Flow<R> flow) {
    if (flow.isNew) {
      toTheEnd(flow);
    } else {
      oldFlows.remove(flow);
      flows.remove(flow.client);
    }
  }

  private void toTheEnd(Flow<R> flow) {
    listOf(flow).remove(flow);
    flow.isNew = false;
    oldFlows.add(flow);
  }

  /** The number of known clients. */
  int clients() {
    return flows.size();
  }

  /** Forgets everything. */
  void clear() {
    flows.clear();
    newFlows.clear();
    oldFlows.clear();
    size = 0;
  }
}
