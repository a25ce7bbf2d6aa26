package io.lockstep.store.engine.bftsmart;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Bounds the memory for the replies to all clients of a replica. One bound is on bytes in the
 * queues of sockets, another on the bytes of replies that wait for room there.
 *
 * <p>Many clients that do not read can leave too little room for one long reply. So a client that
 * has read everything sent to it comes before them. Its reply takes the place of theirs. While it
 * waits, each of them loses its connection once it has read nothing for {@link #OWED_MILLIS}. A
 * client that has read more than sockets can hold also uses a reserve, which others cannot fill.
 *
 * <p>Any thread may use the budgets. All else belongs to the event loop.
 */
final class ReplyBudgets {
  /** How long a client may read nothing while one that has read everything waits for room. */
  static final long OWED_MILLIS = 1_000;

  /**
   * More than the buffers of a connection hold, so a client that has taken this many bytes reads.
   */
  static final long READER_BYTES = 16 << 20;

  private static final int RESERVED_PART = 8;

  private final SharedBudget sending;
  private final SharedBudget reserve;
  private final SharedBudget waiting;
  private final AtomicLong dropped = new AtomicLong();

  /** Clients with waiting replies, each once, in turn. */
  private final ArrayDeque<ClientReplies> behind = new ArrayDeque<>();

  /** Clients that had replies in the queues of their sockets at the last check. */
  private final Set<ClientReplies> watched = new LinkedHashSet<>();

  private final long stalledMillis;
  private final LongSupplier clockNanos;
  private boolean pumping;
  private Runnable onWatched = () -> {};

  /**
   * @param mostBytes in the queues of sockets; replies that wait have a quarter of it
   * @param stalledMillis after this long without reading, a client with waiting replies loses its
   *     connection; longer than any pause of a healthy client
   * @param clockNanos monotonic
   */
  ReplyBudgets(long mostBytes, long stalledMillis, LongSupplier clockNanos) {
    this.stalledMillis = stalledMillis;
    this.clockNanos = clockNanos;
    sending = new SharedBudget(mostBytes - mostBytes / RESERVED_PART);
    reserve = new SharedBudget(mostBytes / RESERVED_PART);
    waiting = new SharedBudget(waitingBytes(mostBytes));
  }

  /** The bound on the bytes of waiting replies, beside this many bytes in the queues of sockets. */
  static long waitingBytes(long queuedBytes) {
    return queuedBytes / 4;
  }

  SharedBudget sending() {
    return sending;
  }

  /** Room for one reply at a time to each client that has taken {@link #READER_BYTES}. */
  SharedBudget reserve() {
    return reserve;
  }

  SharedBudget waiting() {
    return waiting;
  }

  /** Counts a reply that was dropped. */
  void dropped() {
    dropped.incrementAndGet();
  }

  /** How many replies were dropped. Any thread. */
  long droppedReplies() {
    return dropped.get();
  }

  /** Adds a client with waiting replies: first of all if it has read everything. */
  void enqueue(ClientReplies client) {
    if (behind.contains(client)) {
      return;
    }
    if (client.unreadBytes() == 0 && client.takenBytes() > 0) {
      behind.addFirst(client);
    } else {
      behind.addLast(client);
    }
  }

  /**
   * Takes room for a reply to wait, for a client that has read everything and has no other waiting
   * reply. If there is none, other replies are dropped: first those of clients that have left
   * replies unread, then those of clients that have read less.
   *
   * @param takenBytes all bytes that the client has taken
   */
  boolean takeInTurn(long takenBytes, long bytes) {
    if (waiting.take(0, bytes)) {
      return true;
    }
    List<ClientReplies> others = new ArrayList<>();
    for (ClientReplies client : behind) {
      if (client.unreadBytes() > 0 || client.takenBytes() < takenBytes) {
        others.add(client);
      }
    }
    long now = clockNanos.getAsLong();
    others.sort(
        Comparator.comparing((ClientReplies client) -> client.unreadBytes() == 0)
            .thenComparingLong(client -> client.movedNanos() - now)
            .thenComparingLong(ClientReplies::takenBytes));
    for (ClientReplies client : others) {
      while (client.dropNewest()) {
        if (waiting.take(0, bytes)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Called when there may be room: each client in turn sends one reply, until there is none. */
  void next() {
    if (pumping) {
      return;
    }
    pumping = true;
    int refused = 0;
    while (refused < behind.size()) {
      ClientReplies client = behind.removeFirst();
      boolean sent = client.pump();
      if (client.isBehind()) {
        behind.addLast(client);
      }
      refused = sent ? 0 : refused + (client.isBehind() ? 1 : 0);
    }
    pumping = false;
  }

  /** Sets what is called when there is a client to check: {@link #tick} is needed from then on. */
  void onWatched(Runnable needed) {
    onWatched = needed;
  }

  /** Checks this client with each {@link #tick} while it has replies to read. */
  void watch(ClientReplies client) {
    watched.add(client);
    onWatched.run();
  }

  /** Whether there is a client to check. */
  boolean watches() {
    return !watched.isEmpty();
  }

  /** Monotonic. */
  long nowNanos() {
    return clockNanos.getAsLong();
  }

  /**
   * Closes the connections of clients that read nothing for too long. To be called often while
   * there is one.
   */
  void tick() {
    long mostMillis = readerWaits() ? Math.min(OWED_MILLIS, stalledMillis) : stalledMillis;
    long now = clockNanos.getAsLong();
    for (ClientReplies client : List.copyOf(watched)) {
      if (!client.look(now, mostMillis)) {
        watched.remove(client);
      }
    }
  }

  /** Whether replies wait for a client that has read everything. */
  private boolean readerWaits() {
    for (ClientReplies client : behind) {
      if (client.isBehind() && client.unreadBytes() == 0) {
        return true;
      }
    }
    return false;
  }
}
