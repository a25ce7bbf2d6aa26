package io.lockstep.core.path;

import io.lockstep.core.flow.RoomRules;
import io.lockstep.core.flow.RoomRules.State;
import io.lockstep.core.path.PathRow.Phase;
import io.lockstep.core.path.PathRow.Settled;
import io.lockstep.core.path.PathRow.Wish;
import io.lockstep.core.path.Transition.Step;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The steps by which a path changes: a row and the states of its rules give the next write
 * (docs/adr/0033). Every node computes the same from the same. Pure, for one evaluation.
 */
final class PathSteps {
  /** How long a preparation may take before a newer wish ends it. */
  static final long PATIENCE_MILLIS = 2_000;

  static final String SUPERSEDED = "a newer change came before this one was prepared";

  /** What is known of the rule in a slot of the path. */
  @FunctionalInterface
  interface SlotStates {
    RoomRules.Known of(PathSlot slot);
  }

  private final PathRow row;
  private final SlotStates states;
  private final long waitedMillis;
  private final long flightMillis;
  private final IntSupplier freeTag;

  private PathSteps(
      PathRow row, SlotStates states, long waitedMillis, long flightMillis, IntSupplier freeTag) {
    this.row = row;
    this.states = states;
    this.waitedMillis = waitedMillis;
    this.flightMillis = flightMillis;
    this.freeTag = freeTag;
  }

  /**
   * What is to be done next.
   *
   * @param states of the rules, at least as new as the row
   * @param waitedMillis since the caller first saw this version of the row
   * @param flightMillis the longest time of a packet in the network
   * @param freeTag a tag that no path has; 0 where there is none
   */
  static NextStep next(
      PathRow row, SlotStates states, long waitedMillis, long flightMillis, IntSupplier freeTag) {
    return new PathSteps(row, states, waitedMillis, flightMillis, freeTag).next();
  }

  private NextStep next() {
    return switch (row.phase()) {
      case STEADY -> steady();
      case PREPARE -> prepare();
      case SWITCH -> atStep(step(), false);
      case DRAIN -> afterFlight(this::stepDone);
      case REVERT -> atStep(step().reversed(), true);
      case REVERT_DRAIN -> afterFlight(this::stepUndone);
    };
  }

  private Transition transition() {
    return Transition.of(row.current(), row.target());
  }

  private Step step() {
    return transition().steps().get(row.step());
  }

  private NextStep afterFlight(Supplier<NextStep> then) {
    return waitedMillis >= flightMillis
        ? then.get()
        : new NextStep.Wait(flightMillis - waitedMillis);
  }

  // ---- at rest ----

  private NextStep steady() {
    Set<PathSlot> left = new LinkedHashSet<>();
    Set<Integer> used = new LinkedHashSet<>();
    used.add(0);
    used.add(row.current().tag());
    Set<Integer> frees = new LinkedHashSet<>();
    for (PathSlot slot : row.leftovers()) {
      if (states.of(slot).state() != State.ABSENT) {
        left.add(slot);
        used.add(slot.tag());
      }
    }
    row.leftovers().stream().map(PathSlot::tag).filter(t -> !used.contains(t)).forEach(frees::add);
    Wish wish = row.wish();
    boolean over = row.current().isNone() && wish == null && left.isEmpty();
    if (over) {
      return new NextStep.Write(null, List.of(), List.of(), 0, frees);
    }
    boolean full = row.leftovers().size() + row.current().hops().size() > PathRow.MAX_LEFTOVERS;
    boolean fewer = left.size() < row.leftovers().size();
    if (!frees.isEmpty() || (fewer && (full || left.isEmpty()))) {
      PathRow less = row.resting(row.current(), wish, left, row.tagless(), row.settled());
      return new NextStep.Write(less, List.of(), List.of(), 0, frees);
    }
    return wish != null && !full ? begin(wish) : new NextStep.Wait(NextStep.Wait.NO_TIME);
  }

  private NextStep begin(Wish wish) {
    if (row.current().isNone() && wish.hops().isEmpty()) {
      Settled settled = new Settled(wish.ticket(), "");
      return NextStep.Write.of(
          row.resting(Route.NONE, null, row.leftovers(), row.tagless(), settled),
          List.of(),
          List.of());
    }
    boolean same = wish.hops().equals(row.current().hops());
    int tag = same ? row.current().tag() : tagFor(wish);
    Route target = new Route(tag, wish.hops());
    List<SlotRule> puts = new ArrayList<>();
    Set<SlotRule> old = Set.copyOf(row.current().rules());
    for (SlotRule rule : Transition.of(row.current(), target).prepared()) {
      if (!old.contains(rule) || isMissing(rule)) {
        puts.add(rule);
      }
    }
    return new NextStep.Write(row.beginning(target), puts, List.of(), same ? 0 : tag, Set.of());
  }

  /** 0 where the path needs no tag, does without, or gets none. */
  private int tagFor(Wish wish) {
    return row.tagless() || wish.hops().size() < 2 ? 0 : freeTag.getAsInt();
  }

  /** The store does not intend the rule: an application removed it. */
  private boolean isMissing(SlotRule rule) {
    State state = states.of(rule.slot()).state();
    return state == State.ABSENT || state == State.LEAVING;
  }

  // ---- preparation ----

  private NextStep prepare() {
    Transition transition = transition();
    List<SlotRule> missing = new ArrayList<>();
    boolean complete = true;
    for (SlotRule rule : transition.prepared()) {
      RoomRules.Known seen = states.of(rule.slot());
      switch (seen.state()) {
        case REFUSED -> {
          return withdraw(seen.error(), true);
        }
        case ABSENT, LEAVING -> missing.add(rule);
        case WAITING -> complete = false;
        case INSTALLED -> {
          // as it is to be
        }
      }
    }
    if (!missing.isEmpty()) {
      return NextStep.Write.of(row, missing, List.of());
    }
    if (complete) {
      return transition.steps().isEmpty() ? finish() : enter(Phase.SWITCH, 0);
    }
    if (row.wish() == null) {
      return new NextStep.Wait(NextStep.Wait.NO_TIME);
    }
    return waitedMillis >= PATIENCE_MILLIS
        ? withdraw(SUPERSEDED, false)
        : new NextStep.Wait(PATIENCE_MILLIS - waitedMillis);
  }

  /**
   * Removes what was prepared. No packet meets it.
   *
   * @param refused by a switch, so that the same change may do without a tag
   */
  private NextStep withdraw(String why, boolean refused) {
    Set<PathSlot> old = new LinkedHashSet<>();
    row.current().rules().forEach(rule -> old.add(rule.slot()));
    List<SlotRule> removes =
        transition().prepared().stream().filter(rule -> !old.contains(rule.slot())).toList();
    boolean again = refused && row.target().tag() != 0;
    Wish wish = row.wish();
    if (again && wish == null) {
      wish = new Wish(row.ticket(), row.target().hops());
    }
    return NextStep.Write.of(
        row.resting(
            row.current(),
            wish,
            leftWith(removes),
            row.tagless() || again,
            again ? row.settled() : new Settled(row.ticket(), why)),
        List.of(),
        removes);
  }

  private Set<PathSlot> leftWith(List<SlotRule> removed) {
    Set<PathSlot> left = new LinkedHashSet<>(row.leftovers());
    removed.forEach(rule -> left.add(rule.slot()));
    return left;
  }

  // ---- steps ----

  private NextStep enter(Phase phase, int number) {
    Step step = transition().steps().get(number);
    return write(row.in(phase, number), phase == Phase.REVERT ? step.reversed() : step);
  }

  private static NextStep write(PathRow next, Step step) {
    SlotRule now = step.now();
    SlotRule before = step.before();
    return NextStep.Write.of(
        next,
        now == null ? List.of() : List.of(now),
        now != null || before == null ? List.of() : List.of(before));
  }

  private NextStep atStep(Step step, boolean back) {
    RoomRules.Known seen = states.of(step.slot());
    Phase confirmed = back ? Phase.REVERT_DRAIN : Phase.DRAIN;
    boolean there = seen.state() == State.INSTALLED;
    boolean missing = seen.state() == State.ABSENT || seen.state() == State.LEAVING;
    boolean intended = (step.now() != null) != missing;
    if (!intended) {
      return write(row, step);
    }
    if (there || (step.now() == null && seen.state() == State.ABSENT)) {
      return NextStep.Write.of(row.in(confirmed, row.step()), List.of(), List.of());
    }
    if (seen.state() == State.REFUSED && !back) {
      return write(row.revertingFor(seen.error()), step.reversed());
    }
    // A rule that the switch had before and now refuses is tried again by its master.
    return new NextStep.Wait(NextStep.Wait.NO_TIME);
  }

  private NextStep stepDone() {
    int number = row.step() + 1;
    return number < transition().steps().size() ? enter(Phase.SWITCH, number) : finish();
  }

  private NextStep stepUndone() {
    return row.step() > 0 ? enter(Phase.REVERT, row.step() - 1) : withdraw(row.why(), true);
  }

  private NextStep finish() {
    List<SlotRule> gone = transition().gone();
    Wish wish = row.wish();
    return NextStep.Write.of(
        row.resting(
            row.target(), wish, leftWith(gone), row.tagless(), new Settled(row.ticket(), "")),
        List.of(),
        gone);
  }
}
