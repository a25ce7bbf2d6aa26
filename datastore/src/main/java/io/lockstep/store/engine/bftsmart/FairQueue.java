package io.lockstep.store.engine.bftsmart;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Requests in one queue for each client, served fairly by bytes: deficit round robin in which a
 * client that had nothing queued comes first (RFC 8290 section 4.2, without its dropping). So a
 * small request waits for one large one at most, however many of those other clients have queued,
 * and a client with large requests gets as many bytes as any other.
 *
 * <p>A client is among the new ones only with requests that fit into its quantum; a large request
 * waits for its turn among the others from the beginning.
 *
 * <p>Not thread-safe. All operations take constant time, except {@link #poll}, which looks at each
 * client once for every quantum in a request, and {@link #has}, which looks at each client. With a
 * bound both also look at those whose requests are larger.
 *
 * @param <R> a request; two that are equal are one
 */
final class FairQueue<R> {
  /** How many bytes a client may send in one round. */
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

  /** Every client in one of the two lists below, also one whose queue has just become empty. */
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

  /** Takes a request out, wherever it is; does nothing where it is not queued. */
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
   * Takes out the next request. Clients whose first request has more than {@code largest} keep
   * their places and are passed over.
   *
   * @return null where there is none, or where it has more than {@code mostBytes}
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

  /** Whose turn it is, also where that one has nothing queued; null where all are passed over. */
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

  /** A new client that has nothing queued stays for one round, else it would be new for ever. */
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

  /** How many clients it knows. */
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
