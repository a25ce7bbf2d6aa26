package io.lockstep.openflow.channel;

import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how many switches of one event loop are asked for their features, ports and tables at the
 * same time; the others wait in line. When all switches of a network connect at once and all
 * handshakes advance together, none may end before its deadline, and all of them begin anew. With
 * turns the first ones end early, however slow the machine is. Waiting addresses take turns, so
 * that many connections of one do not delay those of others, and one address cannot have all
 * places. Owned by the event loop.
 */
final class HandshakeTurns {
  /** Handshakes at the same time. */
  static final int AT_ONCE = 32;

  /** Of these, from one address. */
  static final int AT_ONCE_FROM_ADDRESS = 24;

  /** Each address with connections that wait, the next one first; its connections in order. */
  private final Map<InetAddress, ArrayDeque<HandshakeTurn>> waiting = new LinkedHashMap<>();

  private final Map<InetAddress, Integer> running = new HashMap<>();
  private int total;

  /** One connection's turn: not asked for yet, then in line, then running, then ended. */
  final class HandshakeTurn {
    private final InetAddress address;
    private final Runnable begin;
    private State state = State.NEW;

    private HandshakeTurn(InetAddress address, Runnable begin) {
      this.address = address;
      this.begin = begin;
    }

    /** Asks for the turn, once. Begins at once where there is a place; never if it has ended. */
    void ask() {
      if (state != State.NEW) {
        return;
      }
      state = State.WAITS;
      waiting.computeIfAbsent(address, key -> new ArrayDeque<>()).add(this);
      beginNext();
    }

    /** Gives the turn, or the place in line, to others. Further calls do nothing. */
    void end() {
      State before = state;
      state = State.ENDED;
      if (before == State.WAITS) {
        leaveLine(this);
      } else if (before == State.RUNS) {
        total--;
        running.computeIfPresent(address, (key, count) -> count == 1 ? null : count - 1);
        beginNext();
      }
    }

    private void begin() {
      state = State.RUNS;
      total++;
      running.merge(address, 1, Integer::sum);
      begin.run();
    }
  }

  private enum State {
    NEW,
    WAITS,
    RUNS,
    ENDED
  }

  /**
   * The turn of a connection, which asks for it later.
   *
   * @param begin runs when the turn begins
   */
  HandshakeTurn turn(InetAddress address, Runnable begin) {
    return new HandshakeTurn(address, begin);
  }

  private void leaveLine(HandshakeTurn turn) {
    ArrayDeque<HandshakeTurn> line = waiting.get(turn.address);
    if (line != null && line.remove(turn) && line.isEmpty()) {
      waiting.remove(turn.address);
    }
  }

  private void beginNext() {
    while (total < AT_ONCE) {
      HandshakeTurn next = pollNext();
      if (next == null) {
        return;
      }
      next.begin();
    }
  }

  /**
   * The next one whose address may have one more; that address then waits behind the others. Skips
   * one address at most: a second one with so many places would exceed {@link #AT_ONCE}.
   */
  private @Nullable HandshakeTurn pollNext() {
    Iterator<Map.Entry<InetAddress, ArrayDeque<HandshakeTurn>>> lines =
        waiting.entrySet().iterator();
    while (lines.hasNext()) {
      Map.Entry<InetAddress, ArrayDeque<HandshakeTurn>> line = lines.next();
      if (running.getOrDefault(line.getKey(), 0) >= AT_ONCE_FROM_ADDRESS) {
        continue;
      }
      HandshakeTurn next = line.getValue().poll();
      lines.remove();
      if (!line.getValue().isEmpty()) {
        waiting.put(line.getKey(), line.getValue());
      }
      return next;
    }
    return null;
  }
}
