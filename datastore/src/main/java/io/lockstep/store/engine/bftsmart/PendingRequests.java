package io.lockstep.store.engine.bftsmart;

import bftsmart.clientsmanagement.ClientsManager;
import bftsmart.clientsmanagement.RequestList;
import bftsmart.communication.ServerCommunicationSystem;
import bftsmart.reconfiguration.ServerViewController;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.core.messages.TOMMessageType;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Limits;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait to be ordered, in order of arrival. Replaces the library's table.
 *
 * <p>The library's faults:
 *
 * <ul>
 *   <li>Hazard 3: during a leader change it may return no requests at all, and the empty batch
 *       breaks the delivery thread of every replica. Ours adds a no-op, which {@link OrderedState}
 *       filters out.
 *   <li>Hazard 11: its table of clients never shrinks. Ours remembers the last {@value #MAX_LANES}
 *       sessions.
 *   <li>Hazard 17: after a leader change, the old leader's requests stay marked as proposed for
 *       ever. It also refuses a sequence number that skips one. Ours removes the marks in {@link
 *       #forgetProposals} and accepts sequence numbers in any order.
 *   <li>Hazard 18: it deserialises a request to change the view, and accepts it if it is signed
 *       with the key inside the library's jar. Ours drops it.
 *   <li>Its proposing thread asks for pending requests. Ours hides them from it, because {@link
 *       Proposals} proposes them.
 *   <li>Hazard 10: its request timers compare a sum instead of a difference, so every request is
 *       always old. Ours has no timers there; {@link ClusterMonitor} uses {@link
 *       #oldestPendingNanos}.
 * </ul>
 *
 * <p>Requests are proposed fairly between clients, in batches of bounded size. {@link RequestTable}
 * describes that, and the bounds on bytes.
 *
 * <p>Thread-safe; called on the replica's loop, and by the library's idle threads.
 */
final class PendingRequests extends ClientsManager {

  /** Sessions whose ordered requests are remembered. */
  static final int MAX_LANES = 4096;

  private final int replicaId;
  private final Limits limits;
  private final Object lock = new Object();

  /** Guarded by lock, as all below. */
  private final RequestTable pending = new RequestTable();

  private final LinkedHashMap<Long, OrderedWindow> lanes = new LinkedHashMap<>(64, 0.75f, true);
  private int noopSequence;
  private int largest = Integer.MAX_VALUE;
  private final Consumer<TOMMessage[]> onDecision;
  private final LongSupplier clockNanos;

  /**
   * @param controller passed to the library, which does not use it here
   * @param onDecision gets the requests of an instance when the library has decided it
   */
  PendingRequests(
      @Nullable ServerViewController controller,
      int replicaId,
      Limits limits,
      Consumer<TOMMessage[]> onDecision) {
    this(controller, replicaId, limits, onDecision, System::nanoTime);
  }

  /**
   * @param clockNanos monotonic; gives the time of arrival
   */
  PendingRequests(
      @Nullable ServerViewController controller,
      int replicaId,
      Limits limits,
      Consumer<TOMMessage[]> onDecision,
      LongSupplier clockNanos) {
    super(controller, null, request -> true);
    this.replicaId = replicaId;
    this.limits = limits;
    this.onDecision = onDecision;
    this.clockNanos = clockNanos;
  }

  /** Whether a proposer made this request to fill an empty batch. */
  static boolean isNoop(TOMMessage request) {
    return request.getSender() < 0;
  }

  @Override
  public boolean requestReceived(TOMMessage request, boolean fromClient) {
    return requestReceived(request, fromClient, null);
  }

  /**
   * Takes a request from a client, or one from a proposal.
   *
   * @return whether it may be proposed; always true for one from a proposal, because the library
   *     would otherwise drop the proposal
   */
  @Override
  public boolean requestReceived(
      TOMMessage request, boolean fromClient, @Nullable ServerCommunicationSystem unused) {
    if (request.getReqType() != TOMMessageType.ORDERED_REQUEST || isNoop(request)) {
      return !fromClient;
    }
    return fromClient ? take(request, false) : takeProposed(request);
  }

  /**
   * Takes a request that a peer forwarded, even if it was ordered before. The peer still waits for
   * it, and only ordering it again ends that wait. The service recognises repeated operations.
   *
   * @return whether it may be proposed
   */
  boolean forwarded(TOMMessage request) {
    synchronized (lock) {
      lane(request).forget(request.getSequence());
    }
    return take(request, true);
  }

  private boolean take(TOMMessage request, boolean forwarded) {
    boolean taken;
    synchronized (lock) {
      request.recvFromClient = true;
      request.receptionTime = clockNanos.getAsLong();
      taken =
          isNew(request)
              && pending.size() < limits.maxPendingRequests()
              && pending.add(request, forwarded);
    }
    if (!taken && request instanceof ClientRequest refused) {
      refused.leave();
    }
    return taken;
  }

  private boolean takeProposed(TOMMessage request) {
    synchronized (lock) {
      if (isNew(request)) {
        request.recvFromClient = false;
        request.receptionTime = clockNanos.getAsLong();
        pending.addProposed(request);
      }
    }
    return true;
  }

  private boolean isNew(TOMMessage request) {
    return !pending.contains(request) && !lane(request).contains(request.getSequence());
  }

  /** The next batch; contains at least a no-op. */
  @Override
  public RequestList getPendingRequests() {
    RequestList batch = new RequestList();
    synchronized (lock) {
      int bytes = 0;
      int most = Math.min(limits.maxBatchBytes(), largest);
      while (batch.size() < limits.maxBatchRequests()) {
        // A request larger than a batch gets a batch of its own.
        int room = batch.isEmpty() ? largest : most - bytes;
        TOMMessage next = pending.propose(room, largest);
        if (next == null) {
          break;
        }
        batch.add(next);
        bytes += next.serializedMessage.length;
      }
      if (batch.isEmpty()) {
        batch.add(noop());
      }
    }
    return batch;
  }

  private TOMMessage noop() {
    TOMMessage noop =
        new TOMMessage(
            -1 - replicaId,
            0,
            noopSequence++ & Integer.MAX_VALUE,
            0,
            new byte[0],
            0,
            TOMMessageType.ORDERED_REQUEST);
    noop.serializedMessage = TOMMessage.messageToBytes(noop);
    noop.alreadyProposed = true;
    return noop;
  }

  /** False, so that the library's proposing thread does nothing. */
  @Override
  public boolean havePendingRequests() {
    return false;
  }

  /** Whether a request with at most this many bytes waits to be proposed. */
  boolean hasUnproposed(int mostBytes) {
    synchronized (lock) {
      return pending.hasUnproposed(mostBytes);
    }
  }

  /** Bounds the next batches, and the requests in them. Larger requests keep their places. */
  void boundBatches(int mostBytes) {
    synchronized (lock) {
      largest = mostBytes;
    }
  }

  /** Called by the library when it has made a decision. */
  @Override
  public void requestsOrdered(TOMMessage[] requests) {
    ordered(requests);
    onDecision.accept(requests);
  }

  /** Removes requests that have been ordered. */
  void ordered(TOMMessage[] requests) {
    synchronized (lock) {
      for (TOMMessage request : requests) {
        if (!isNoop(request)) {
          pending.ordered(request);
          lane(request).add(request.getSequence());
        }
      }
    }
  }

  /**
   * After a leader change: allows requests that were proposed but not decided to be proposed again.
   */
  void forgetProposals() {
    synchronized (lock) {
      pending.forgetProposals();
    }
  }

  /** Age of the oldest pending request in nanoseconds, 0 if there is none. */
  long oldestPendingNanos(long nowNanos) {
    synchronized (lock) {
      Long oldest = pending.oldestNanos();
      return oldest == null ? 0 : Math.max(0, nowNanos - oldest);
    }
  }

  /** The requests older than this, oldest first: one batch at most. */
  List<TOMMessage> olderThan(long ageNanos, long nowNanos) {
    synchronized (lock) {
      return pending.until(nowNanos - ageNanos, limits.maxBatchRequests(), limits.maxBatchBytes());
    }
  }

  /** Drops requests older than this; their clients have sent them again or given up. */
  void dropOlderThan(long ageNanos, long nowNanos) {
    synchronized (lock) {
      pending.dropUntil(nowNanos - ageNanos);
    }
  }

  int size() {
    synchronized (lock) {
      return pending.size();
    }
  }

  int lanes() {
    synchronized (lock) {
      return lanes.size();
    }
  }

  /** Drops all pending requests, since a snapshot may contain them. */
  @Override
  public void clear() {
    synchronized (lock) {
      pending.clear();
    }
  }

  private OrderedWindow lane(TOMMessage request) {
    long id = ((long) request.getSender() << 32) | (request.getSession() & 0xffff_ffffL);
    OrderedWindow window = lanes.get(id);
    if (window == null) {
      window = new OrderedWindow();
      lanes.put(id, window);
      if (lanes.size() > MAX_LANES) {
        Iterator<Map.Entry<Long, OrderedWindow>> eldest = lanes.entrySet().iterator();
        eldest.next();
        eldest.remove();
      }
    }
    return window;
  }
}
