package io.lockstep.store.engine.bftsmart;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the replies to all clients of a replica may take of its memory: bytes in the queues of
 * sockets, and bytes that replies refer to which wait for room there.
 *
 * <p>The budgets are for any thread, the queue of clients that are behind belongs to the event
 * loop.
 */
final class ReplyBudgets {
  private final SharedBudget sending;
  private final SharedBudget waiting;
  private final AtomicLong dropped = new AtomicLong();

  /** Clients with replies that wait, each once, in turn. */
  private final ArrayDeque<ClientReplies> behind = new ArrayDeque<>();

  private final long stalledMillis;
  private boolean pumping;

  /**
   * @param mostBytes in the queues of sockets; of those that wait, a quarter of it
   * @param stalledMillis a client that takes nothing for so long, although replies wait for it,
   *     loses its connection; longer than any pause of one that is well
   */
  ReplyBudgets(long mostBytes, long stalledMillis) {
    this.stalledMillis = stalledMillis;
    sending = new SharedBudget(mostBytes);
    waiting = new SharedBudget(waitingBytes(mostBytes));
  }

  /** What replies that wait may refer to, beside so many bytes in the queues of sockets. */
  static long waitingBytes(long queuedBytes) {
    return queuedBytes / 4;
  }

  SharedBudget sending() {
    return sending;
  }

  SharedBudget waiting() {
    return waiting;
  }

  long stalledMillis() {
    return stalledMillis;
  }

  /** A reply found no room to wait in. */
  void dropped() {
    dropped.incrementAndGet();
  }

  /** How many replies found no room. Any thread. */
  long droppedReplies() {
    return dropped.get();
  }

  /** On the event loop. */
  void enqueue(ClientReplies client) {
    if (!behind.contains(client)) {
      behind.add(client);
    }
  }

  /** There may be room again: each client in turn sends one reply, until there is none. */
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
}
