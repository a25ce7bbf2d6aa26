package io.lockstep.core.packet;

import static io.lockstep.core.state.Continuations.after;

import io.lockstep.core.app.Decision;
import io.lockstep.core.packet.PacketCounters.PacketResult;
import io.lockstep.core.recording.EventTrace;
import io.lockstep.core.recording.StoreTraffic;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Leads the questions of applications to the store in fair turns. The store has at most {@link
 * #AT_STORE} of a node at once, so that what the node itself writes there, and its lease, never
 * stand behind a flood of packets. The others wait here: switches have turns, {@link #IN_A_TURN}
 * questions each. Within a switch events come first, and every fourth question of packets is for
 * those to groups.
 *
 * <p>What waits is bounded in number by {@link WaitingPlaces} for each switch, and in bytes here: a
 * switch may hold as many bytes as it leaves free.
 *
 * <p>Thread-safe.
 */
final class AskTurns {
  /** Questions of one node at the store; as many as eight full requests carry. */
  static final int AT_STORE = 512;

  /** Bytes of all questions and their packets, until they are answered. */
  static final long MAX_BYTES = 16L << 20;

  /** Each question counts as so many bytes more than its packet has. */
  static final int OVERHEAD_BYTES = 512;

  /**
   * Questions of one switch in its turn: their answers come together, so its socket is written to
   * once for all.
   */
  static final int IN_A_TURN = 16;

  /** Packets to groups have one of so many questions of a switch. */
  private static final int GROUP_TURN = 4;

  private final StoreClient store;
  private final CachedQuestions cached;
  private final StoreTraffic traffic;

  // Guarded by this.
  private long lines;

  /** The lines in which something waits, in the order of their turns. */
  private final ArrayDeque<Line> ready = new ArrayDeque<>();

  private int atStore;
  private boolean leading;

  /** Of all lines; written under the lock, read without it for a first look. */
  private volatile long bytes;

  /** What a question is about. */
  enum Kind {
    EVENT,
    UNICAST,
    GROUP
  }

  private record Waiting(
      Line line, Decision.Ask ask, @Nullable EventTrace event, int bytes, Consumer<Reply> then) {}

  /** The questions of one switch, while it is mastered in one epoch. */
  final class Line {
    /** Names the mastership: no other line has or had it. */
    private final long term;

    private final Executor returning;
    private final ArrayDeque<Waiting> events = new ArrayDeque<>();
    private final ArrayDeque<Waiting> unicast = new ArrayDeque<>();
    private final ArrayDeque<Waiting> groups = new ArrayDeque<>();
    private int asked;
    private int leftInTurn = IN_A_TURN;
    private volatile long ownBytes;

    private Line(Executor loop, long term) {
      this.term = term;
      this.returning =
          task -> {
            answered();
            loop.execute(task);
          };
    }

    private ArrayDeque<Waiting> queue(Kind kind) {
      return switch (kind) {
        case EVENT -> events;
        case UNICAST -> unicast;
        case GROUP -> groups;
      };
    }

    private int waiting() {
      return events.size() + unicast.size() + groups.size();
    }

    private Waiting next() {
      if (!events.isEmpty()) {
        return events.removeFirst();
      }
      boolean group = unicast.isEmpty() || (!groups.isEmpty() && ++asked % GROUP_TURN == 0);
      return (group ? groups : unicast).removeFirst();
    }
  }

  /** Turns in which no question waits. */
  AskTurns(StoreClient store, CachedQuestions cached, StoreTraffic traffic) {
    this.store = store;
    this.cached = cached;
    this.traffic = traffic;
  }

  /**
   * A line for one switch.
   *
   * @param loop on which its answers arrive
   */
  synchronized Line line(Executor loop) {
    return new Line(loop, ++lines);
  }

  /** Whether a question about a packet of so many bytes would exceed the bound. Any thread. */
  boolean isFull(Line line, int packetBytes) {
    return line.ownBytes + packetBytes + OVERHEAD_BYTES > MAX_BYTES - bytes;
  }

  /**
   * Asks the store when it is the switch's turn.
   *
   * @param event that it belongs to; null where that is not recorded
   * @param packetBytes that are kept until {@link #forget}
   * @param then with the answer, on the switch's loop
   */
  void ask(
      Line line,
      Kind kind,
      Decision.Ask ask,
      @Nullable EventTrace event,
      int packetBytes,
      Consumer<Reply> then) {
    synchronized (this) {
      hold(line, packetBytes + OVERHEAD_BYTES);
      if (line.waiting() == 0) {
        ready.addLast(line);
      }
      line.queue(kind).addLast(new Waiting(line, ask, event, packetBytes, then));
    }
    lead();
  }

  /** A question was answered: what it kept is free again. */
  synchronized void forget(Line line, int packetBytes) {
    hold(line, -packetBytes - OVERHEAD_BYTES);
  }

  // The lock is held by all who write.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  private void hold(Line line, int more) {
    line.ownBytes += more;
    bytes += more;
  }

  /**
   * Takes out what still waits for its turn: the switch is not mastered any more.
   *
   * @return how many questions are not asked
   */
  synchronized int drop(Line line) {
    int dropped = line.waiting();
    if (dropped > 0) {
      ready.remove(line);
    }
    while (line.waiting() > 0) {
      Waiting next = line.next();
      EventTraces.end(next.event(), PacketResult.STALE);
      forget(line, next.bytes());
    }
    return dropped;
  }

  private void answered() {
    synchronized (this) {
      atStore--;
    }
    lead();
  }

  /** Hands questions on while there is room. One thread at a time: an answer may come at once. */
  private void lead() {
    synchronized (this) {
      if (leading) {
        return;
      }
      leading = true;
    }
    boolean done = false;
    try {
      for (Waiting next = next(); next != null; next = next()) {
        after(submit(next), next.line().returning, next.then());
      }
      done = true;
    } finally {
      if (!done) {
        stopLeading();
      }
    }
  }

  private CompletableFuture<Reply> submit(Waiting next) {
    return traffic.isRecorded() ? traffic.ask(next.event(), () -> send(next)) : send(next);
  }

  private CompletableFuture<Reply> send(Waiting next) {
    Decision.Ask ask = next.ask();
    return ask.freshness().isExact()
        ? store.submit(ask.command())
        : cached.submit(ask.command(), ask.freshness(), next.line().term);
  }

  private synchronized void stopLeading() {
    leading = false;
  }

  /** Whose turn it is; null where no question waits, or the store has enough. */
  private synchronized @Nullable Waiting next() {
    Line line = atStore < AT_STORE ? ready.pollFirst() : null;
    if (line == null) {
      leading = false;
      return null;
    }
    atStore++;
    Waiting next = line.next();
    line.leftInTurn--;
    if (line.leftInTurn == 0 || line.waiting() == 0) {
      line.leftInTurn = IN_A_TURN;
      if (line.waiting() > 0) {
        ready.addLast(line);
      }
    } else {
      ready.addFirst(line);
    }
    return next;
  }
}
