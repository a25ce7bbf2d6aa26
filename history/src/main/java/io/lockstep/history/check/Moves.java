package io.lockstep.history.check;

import io.lockstep.history.check.KeyState.Need;
import io.lockstep.history.check.Operation.Kind;
import io.lockstep.history.check.Operation.Outcome;
import io.lockstep.history.check.Operation.Result;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which operations can come next in an order, and the entry after each. An operation can come next
 * only if no other open one ended before it started.
 *
 * <p>A write's version is above that of every earlier change of the key; so of the versions that
 * answers name and that lie ahead, only the lowest can be next. An unanswered write either has it,
 * or has one that nobody saw. The latter is tried only where it can explain something ({@link
 * Need}), and of those that are alike only one.
 */
final class Moves {

  /** An operation, by its place, and the entry after it. */
  record Move(int place, KeyState state) {}

  private final List<Operation> operations;
  private final OpenOperations open;
  private final Versions versions;
  private final boolean[] seenOnly;

  Moves(List<Operation> operations, OpenOperations open, Versions versions) {
    this.operations = operations;
    this.open = open;
    this.versions = versions;
    this.seenOnly = new boolean[operations.size()];
    markSeen();
  }

  /** A value that was read and has one writer: that write took place where it was read. */
  private void markSeen() {
    Map<String, Integer> writers = new HashMap<>();
    Map<String, Boolean> seen = new HashMap<>();
    for (Operation operation : operations) {
      if (operation.value() != null && operation.kind() != Kind.INCREMENT) {
        writers.merge(operation.value(), 1, Integer::sum);
      }
      Result result = operation.result();
      if (result != null && !operation.applied() && result.value() != null) {
        seen.put(result.value(), true);
      }
    }
    for (int place = 0; place < operations.size(); place++) {
      String value = operations.get(place).value();
      seenOnly[place] =
          value != null
              && !Operation.isNumber(value)
              && seen.containsKey(value)
              && writers.getOrDefault(value, 0) == 1;
    }
  }

  /** An operation that changes nothing and that this state explains, or -1. */
  int fittingRead(KeyState state) {
    long minEnd = Long.MAX_VALUE;
    for (int place = open.first(); place >= 0; place = open.next(place)) {
      Operation operation = operations.get(place);
      if (operation.startNanos() > minEnd) {
        break;
      }
      if (operation.answered() && !operation.applied() && explains(state, operation)) {
        return place;
      }
      minEnd = Math.min(minEnd, open.endNanos(place));
    }
    return -1;
  }

  private static boolean explains(KeyState state, Operation operation) {
    Result result = Objects.requireNonNull(operation.result());
    if (result.value() == null) {
      return state.absent() && operation.kind() != Kind.PUT_IF_ABSENT;
    }
    if (!state.isAt(result.version()) || !result.value().equals(state.value())) {
      return false;
    }
    if (operation.outcome() == Outcome.OK || operation.kind() == Kind.PUT_IF_ABSENT) {
      return true;
    }
    Long expected = operation.expectedVersion();
    return expected != null && expected != result.version();
  }

  /**
   * What can come next.
   *
   * @param place of the lowest version that is still needed
   */
  List<Move> from(KeyState state, int place) {
    int ahead = place;
    if (place < versions.size()) {
      long lowest = versions.at(place);
      if (lowest < state.version() || (lowest == state.version() && !state.exact())) {
        return List.of();
      }
      if (lowest == state.version()) {
        ahead = versions.firstNeeded(place + 1);
      }
    }
    List<Move> known = new ArrayList<>();
    List<Move> unseen = new ArrayList<>();
    Alike alike = new Alike();
    long minEnd = Long.MAX_VALUE;
    for (int next = open.first(); next >= 0; next = open.next(next)) {
      Operation operation = operations.get(next);
      if (operation.startNanos() > minEnd) {
        break;
      }
      minEnd = Math.min(minEnd, open.endNanos(next));
      if (operation.applied()) {
        addKnown(known, state, ahead, next);
      } else if (!operation.answered()) {
        addUnanswered(known, unseen, alike, state, ahead, next);
      }
    }
    alike.addTo(unseen);
    known.addAll(unseen);
    return known;
  }

  private void addKnown(List<Move> known, KeyState state, int ahead, int place) {
    Operation operation = operations.get(place);
    Result result = Objects.requireNonNull(operation.result());
    if (ahead == versions.size()
        || result.version() != versions.at(ahead)
        || !applies(state, operation)
        || !meets(state, operation)) {
      return;
    }
    String value = valueAfter(state, operation);
    if (operation.kind() == Kind.INCREMENT && !Objects.equals(value, result.value())) {
      return;
    }
    known.add(new Move(place, state.changed(value, result.version())));
  }

  private void addUnanswered(
      List<Move> known, List<Move> unseen, Alike alike, KeyState state, int ahead, int place) {
    Operation operation = operations.get(place);
    if (!applies(state, operation)) {
      return;
    }
    String value = valueAfter(state, operation);
    if (value != null && meets(state, operation)) {
      addNamed(known, state, ahead, place, value);
    }
    boolean room = ahead == versions.size() || state.version() + 1 < versions.at(ahead);
    if (!room || seenOnly[place]) {
      return;
    }
    if (value == null) {
      if (state.need() == Need.NOTHING || meets(state, operation)) {
        alike.remove(new Move(place, state.unseen(null, Need.ABSENCE, -1)), operation);
      }
    } else if (operation.kind() == Kind.INCREMENT) {
      if (place > state.lastFresh() && meets(state, operation)) {
        boolean anew = state.absent() || state.need() == Need.NUMBER_OR_PRESENCE;
        Need need = anew ? Need.NUMBER_OR_PRESENCE : Need.NUMBER;
        unseen.add(new Move(place, state.unseen(value, need, place)));
      }
    } else if (Operation.isNumber(value)) {
      unseen.add(new Move(place, state.unseen(value, Need.NOTHING, -1)));
    } else if (state.absent() && state.need() == Need.NOTHING) {
      alike.write(new Move(place, state.unseen(KeyState.UNSEEN, Need.PRESENCE, -1)), operation);
    }
  }

  /** With the next version that is needed, or one before it that an unanswered write expects. */
  private void addNamed(List<Move> known, KeyState state, int ahead, int place, String value) {
    int at = Math.min(ahead, versions.size() - 1);
    while (at >= 0 && versions.at(at) > state.version()) {
      if (versions.fits(at, value)) {
        known.add(0, new Move(place, state.changed(value, versions.at(at))));
      }
      at--;
    }
  }

  /** Whether the store would carry it out on this entry. */
  private static boolean applies(KeyState state, Operation operation) {
    Long expected = operation.expectedVersion();
    return switch (operation.kind()) {
      case GET -> false;
      case PUT -> true;
      case PUT_IF_ABSENT -> state.absent();
      case REPLACE -> expected != null && state.isAt(expected);
      case REMOVE -> !state.absent() && (expected == null || state.isAt(expected));
      case INCREMENT -> state.absent() || Operation.isNumber(state.value());
    };
  }

  /** Whether it makes use of the unseen change before it, where there was one. */
  private static boolean meets(KeyState state, Operation operation) {
    Kind kind = operation.kind();
    return switch (state.need()) {
      case NOTHING -> true;
      case ABSENCE -> kind == Kind.PUT_IF_ABSENT || kind == Kind.INCREMENT;
      case PRESENCE -> kind == Kind.REMOVE && operation.answered();
      case NUMBER -> kind == Kind.INCREMENT;
      case NUMBER_OR_PRESENCE ->
          kind == Kind.INCREMENT || (kind == Kind.REMOVE && operation.answered());
    };
  }

  private static @Nullable String valueAfter(KeyState state, Operation operation) {
    return switch (operation.kind()) {
      case GET, REMOVE -> null;
      case PUT, PUT_IF_ABSENT, REPLACE -> operation.value();
      case INCREMENT -> {
        long before = state.absent() ? 0 : Long.parseLong(Objects.requireNonNull(state.value()));
        yield Long.toString(before + Long.parseLong(Objects.requireNonNull(operation.value())));
      }
    };
  }

  /** Unseen changes that lead to the same entry: the pickiest one goes, the others stay open. */
  private static final class Alike {
    private @Nullable Move remove;
    private boolean removePicky;
    private @Nullable Move write;
    private boolean writePicky;

    void remove(Move move, Operation operation) {
      boolean picky = operation.expectedVersion() != null;
      if (remove == null || (picky && !removePicky)) {
        remove = move;
        removePicky = picky;
      }
    }

    void write(Move move, Operation operation) {
      boolean picky = operation.kind() == Kind.PUT_IF_ABSENT;
      if (write == null || (picky && !writePicky)) {
        write = move;
        writePicky = picky;
      }
    }

    void addTo(List<Move> unseen) {
      if (remove != null) {
        unseen.add(remove);
      }
      if (write != null) {
        unseen.add(write);
      }
    }
  }
}
