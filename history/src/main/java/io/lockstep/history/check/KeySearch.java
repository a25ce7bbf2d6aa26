package io.lockstep.history.check;

import io.lockstep.history.check.Operation.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks for an order of one key's operations that respects real time and explains every answer.
 * Depth first, as in Wing and Gong, "Testing and Verifying Concurrent Objects" (1993); a
 * configuration (what is in the order so far, and the state) is tried once, as in Lowe, "Testing
 * for Linearizability" (2017). {@link Moves} tells which operations can come next.
 *
 * <p>Reads and failed preconditions go into the order as soon as they fit: they change nothing, so
 * an order with them later has one with them now. So only writes are choices, and answered writes
 * follow their versions.
 */
final class KeySearch {
  /** What came of it. */
  enum Verdict {
    /** There is such an order. */
    LINEARIZABLE,
    /** There is none. */
    IMPOSSIBLE,
    /** The search was given up. */
    UNDECIDED
  }

  private record Configuration(long markOne, long markTwo, KeyState state) {}

  private static final class Node {
    final int place;
    final int taken;
    final List<Moves.Move> moves;
    int tried;

    Node(int place, int taken, List<Moves.Move> moves) {
      this.place = place;
      this.taken = taken;
      this.moves = moves;
    }
  }

  private final List<Operation> operations;
  private final OpenOperations open;
  private final Versions versions;
  private final Moves moves;
  private final long maxNodes;
  private final Set<Configuration> tried = new HashSet<>();
  private final List<Integer> order = new ArrayList<>();
  private List<Integer> longest = List.of();
  private KeyState longestState = KeyState.EMPTY;
  private KeyState reached = KeyState.EMPTY;
  private long nodes;

  /**
   * A search that can be run once.
   *
   * @param operations of one key
   * @param maxNodes configurations to try before it is given up
   */
  KeySearch(List<Operation> operations, long maxNodes) {
    this.operations =
        operations.stream()
            .filter(operation -> operation.outcome() != Outcome.ERROR)
            .filter(operation -> operation.answered() || operation.writes())
            .sorted(Comparator.comparingLong(Operation::startNanos))
            .toList();
    this.open = new OpenOperations(this.operations);
    this.versions = new Versions(this.operations);
    this.operations.forEach(operation -> versions.count(operation, 1));
    this.moves = new Moves(this.operations, open, versions);
    this.maxNodes = maxNodes;
  }

  Verdict run() {
    Deque<Node> path = new ArrayDeque<>();
    @Nullable Node node = enter(KeyState.EMPTY, 0, 0);
    while (node != null) {
      if (open.answered() == 0) {
        return Verdict.LINEARIZABLE;
      }
      if (nodes > maxNodes) {
        return Verdict.UNDECIDED;
      }
      if (node.tried == node.moves.size()) {
        undo(node.taken);
        node = path.poll();
        continue;
      }
      Moves.Move move = node.moves.get(node.tried++);
      path.push(node);
      int taken = order.size();
      take(move.place());
      node = enter(move.state(), node.place, taken);
    }
    return Verdict.IMPOSSIBLE;
  }

  /** A new configuration: what only reads goes first, then there may be a choice. */
  private Node enter(KeyState from, int fromPlace, int taken) {
    nodes++;
    KeyState state = takeReads(from);
    reached = state;
    int place = versions.firstNeeded(fromPlace);
    boolean known = !tried.add(new Configuration(open.markOne(), open.markTwo(), state));
    return new Node(place, taken, known ? List.of() : moves.from(state, place));
  }

  private KeyState takeReads(KeyState from) {
    KeyState state = from;
    int read = moves.fittingRead(state);
    while (read >= 0) {
      take(read);
      if (state.absent()) {
        state = state.absenceSeen();
      }
      read = moves.fittingRead(state);
    }
    return state;
  }

  private void take(int place) {
    open.take(place);
    versions.count(operations.get(place), -1);
    order.add(place);
  }

  private void undo(int size) {
    if (order.size() > longest.size()) {
      longest = List.copyOf(order);
      longestState = reached;
    }
    while (order.size() > size) {
      int place = order.remove(order.size() - 1);
      open.putBack(place);
      versions.count(operations.get(place), 1);
    }
  }

  /** The longest order that was found, and what could not go on from there; after a failure. */
  String account(int last) {
    StringBuilder text = new StringBuilder();
    text.append("an order that goes furthest, its last operations:\n");
    int from = Math.max(0, longest.size() - last);
    for (int place : longest.subList(from, longest.size())) {
      text.append("  ").append(operations.get(place)).append('\n');
    }
    text.append("the entry is then: ").append(describe(longestState)).append('\n');
    text.append("none of these can come next:\n");
    Set<Integer> done = new HashSet<>(longest);
    long minEnd = Long.MAX_VALUE;
    for (int place = 0; place < operations.size(); place++) {
      Operation operation = operations.get(place);
      if (operation.startNanos() > minEnd) {
        break;
      }
      if (!done.contains(place)) {
        minEnd = Math.min(minEnd, open.endNanos(place));
        text.append("  ").append(operation).append('\n');
      }
    }
    return text.toString();
  }

  private static String describe(KeyState state) {
    @Nullable String value = state.value();
    return (value == null ? "absent, last changed" : value)
        + (state.exact() ? " @" : " @ at least ")
        + state.version();
  }
}
