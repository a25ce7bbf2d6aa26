package io.lockstep.core.path;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.RoomRules;
import io.lockstep.core.flow.RoomRules.State;
import io.lockstep.core.path.PathRow.Phase;
import io.lockstep.core.path.PathRow.Settled;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each step of a change, as a row and the states of its rules give it. */
class PathStepsTest {
  private static final long FLIGHT = 500;
  private static final int TAG = 7;
  private static final List<Hop> OLD = PathModel.hops(List.of(1L, 2L, 4L));
  private static final List<Hop> NEW = PathModel.hops(List.of(1L, 3L, 4L));
  private static final PathSlot INGRESS = new PathSlot(1, 0);

  private final Map<PathSlot, State> states = new HashMap<>();

  private NextStep next(PathRow row, long waited) {
    return PathSteps.next(
        row,
        slot ->
            new RoomRules.Known(
                states.getOrDefault(slot, State.ABSENT),
                states.get(slot) == State.REFUSED ? "no room" : ""),
        waited,
        FLIGHT,
        () -> TAG);
  }

  private NextStep.Write write(PathRow row, long waited) {
    NextStep move = next(row, waited);
    assertThat(move).isInstanceOf(NextStep.Write.class);
    NextStep.Write write = (NextStep.Write) move;
    write.puts().forEach(rule -> states.put(rule.slot(), State.WAITING));
    write.removes().forEach(rule -> states.put(rule.slot(), State.LEAVING));
    return write;
  }

  private static PathRow row(NextStep.Write write) {
    return Objects.requireNonNull(write.row());
  }

  private void all(State from, State to) {
    states.replaceAll((slot, state) -> state == from ? to : state);
  }

  /** A path with tag 6 in force. */
  private PathRow rest() {
    Route current = new Route(6, OLD);
    current.rules().forEach(rule -> states.put(rule.slot(), State.INSTALLED));
    return PathRow.none(PathModel.FLOW).resting(current, null, Set.of(), false, new Settled(0, ""));
  }

  @Test
  void atRestThereIsNothingToDo() {
    assertThat(next(rest(), 1_000_000)).isEqualTo(new NextStep.Wait(NextStep.Wait.NO_TIME));
  }

  @Test
  void aChangeGoesThroughItsPhases() {
    NextStep.Write prepare = write(rest().wishing(NEW), 0);
    assertThat(row(prepare).phase()).isEqualTo(Phase.PREPARE);
    assertThat(prepare.takes()).isEqualTo(TAG);
    assertThat(prepare.puts())
        .extracting(SlotRule::slot)
        .containsExactly(new PathSlot(4, TAG), new PathSlot(3, TAG));
    assertThat(next(row(prepare), 1_000_000)).isEqualTo(new NextStep.Wait(NextStep.Wait.NO_TIME));

    states.put(new PathSlot(4, TAG), State.INSTALLED);
    assertThat(next(row(prepare), 0)).isInstanceOf(NextStep.Wait.class);
    states.put(new PathSlot(3, TAG), State.INSTALLED);
    NextStep.Write turn = write(row(prepare), 0);
    assertThat(row(turn).phase()).isEqualTo(Phase.SWITCH);
    assertThat(turn.puts()).containsExactly(new SlotRule(INGRESS, TAG, 3));
    assertThat(next(row(turn), 1_000_000)).isInstanceOf(NextStep.Wait.class);

    states.put(INGRESS, State.INSTALLED);
    NextStep.Write drain = write(row(turn), 0);
    assertThat(row(drain).phase()).isEqualTo(Phase.DRAIN);
    assertThat(next(row(drain), FLIGHT - 1)).isEqualTo(new NextStep.Wait(1));
    NextStep.Write end = write(row(drain), FLIGHT);
    assertThat(row(end).phase()).isEqualTo(Phase.STEADY);
    assertThat(row(end).settled()).isEqualTo(new Settled(1, ""));
    assertThat(end.removes())
        .extracting(SlotRule::slot)
        .containsExactly(new PathSlot(2, 6), new PathSlot(4, 6));
    assertThat(end.frees()).isEmpty();
    assertThat(next(row(end), 0)).isInstanceOf(NextStep.Wait.class);

    states.remove(new PathSlot(2, 6));
    assertThat(next(row(end), 0))
        .as("a tag that one switch knows")
        .isInstanceOf(NextStep.Wait.class);
    states.remove(new PathSlot(4, 6));
    assertThat(write(row(end), 0).frees()).containsExactly(6);
  }

  @Test
  void whatIsRefusedIsTakenBackAndTriedWithoutATag() {
    NextStep.Write prepare = write(rest().wishing(NEW), 0);
    all(State.WAITING, State.INSTALLED);
    NextStep.Write turn = write(row(prepare), 0);
    states.put(INGRESS, State.REFUSED);
    NextStep.Write back = write(row(turn), 0);
    assertThat(row(back).phase()).isEqualTo(Phase.REVERT);
    assertThat(back.puts()).containsExactly(new SlotRule(INGRESS, 6, 2));
    assertThat(next(row(back), 1_000_000)).isInstanceOf(NextStep.Wait.class);
    states.put(INGRESS, State.INSTALLED);
    NextStep.Write drain = write(row(back), 0);
    assertThat(row(drain).phase()).isEqualTo(Phase.REVERT_DRAIN);
    assertThat(next(row(drain), FLIGHT - 1)).isEqualTo(new NextStep.Wait(1));
    NextStep.Write withdrawn = write(row(drain), FLIGHT);
    assertThat(withdrawn.removes()).containsExactlyInAnyOrderElementsOf(prepare.puts());
    assertThat(row(withdrawn).tagless()).isTrue();
    assertThat(row(withdrawn).settled().ticket()).as("the same change goes on").isZero();
    NextStep.Write again = write(row(withdrawn), 0);
    assertThat(row(again).target()).isEqualTo(new Route(0, NEW));
    assertThat(row(again).ticket()).isEqualTo(1);

    all(State.WAITING, State.REFUSED);
    NextStep.Write refused = write(row(again), 0);
    assertThat(row(refused).settled()).isEqualTo(new Settled(1, "no room"));
    assertThat(row(refused).current()).isEqualTo(new Route(6, OLD));
    assertThat(row(refused).wish()).isNull();
  }

  @Test
  void aNewerWishEndsAPreparationOnlyAfterPatience() {
    PathRow preparing = row(write(rest().wishing(NEW), 0)).wishing(OLD);
    assertThat(next(preparing, 0)).isEqualTo(new NextStep.Wait(PathSteps.PATIENCE_MILLIS));
    NextStep.Write withdrawn = write(preparing, PathSteps.PATIENCE_MILLIS);
    assertThat(row(withdrawn).settled()).isEqualTo(new Settled(1, PathSteps.SUPERSEDED));
    NextStep.Write same = write(row(withdrawn), 0);
    assertThat(same.puts()).as("what is there already").isEmpty();
    assertThat(row(same).target()).isEqualTo(new Route(6, OLD));
    assertThat(row(write(row(same), 0)).settled()).isEqualTo(new Settled(2, ""));
  }

  @Test
  void rulesThatAnApplicationRemovedAreIntendedAgain() {
    NextStep.Write prepare = write(rest().wishing(NEW), 0);
    states.remove(new PathSlot(3, TAG));
    assertThat(write(row(prepare), 0).puts()).containsExactly(prepare.puts().get(1));
    all(State.WAITING, State.INSTALLED);
    NextStep.Write turn = write(row(prepare), 0);
    states.put(INGRESS, State.LEAVING);
    assertThat(write(row(turn), 0).puts()).isEqualTo(turn.puts());

    PathRow gap = rest().wishing(OLD);
    states.remove(new PathSlot(2, 6));
    assertThat(write(gap, 0).puts()).extracting(SlotRule::slot).containsExactly(new PathSlot(2, 6));
  }

  @Test
  void aRemovalEndsWithTheRow() {
    NextStep.Write begin = write(rest().wishing(List.of()), 0);
    assertThat(begin.takes()).isZero();
    NextStep.Write ingress = write(row(begin), 0);
    assertThat(ingress.removes()).extracting(SlotRule::slot).containsExactly(INGRESS);
    assertThat(next(row(ingress), 0)).isInstanceOf(NextStep.Wait.class);
    states.remove(INGRESS);
    NextStep.Write end = write(row(write(row(ingress), 0)), FLIGHT);
    assertThat(end.removes()).hasSize(2);
    states.clear();
    NextStep.Write gone = write(row(end), 0);
    assertThat(gone.row()).isNull();
    assertThat(gone.frees()).containsExactly(6);
  }

  @Test
  void aChangeWaitsWhileTooMuchIsLeftOver() {
    Set<PathSlot> left = new LinkedHashSet<>();
    for (int i = 0; i < PathRow.MAX_LEFTOVERS - OLD.size(); i++) {
      left.add(new PathSlot(100 + i, 6));
    }
    left.forEach(slot -> states.put(slot, State.LEAVING));
    PathRow rest = rest();
    PathRow atBound = rest.resting(rest.current(), null, left, false, rest.settled());
    assertThat(next(atBound.wishing(NEW), 0)).isInstanceOf(NextStep.Write.class);
    left.add(new PathSlot(99, 6));
    states.put(new PathSlot(99, 6), State.LEAVING);
    PathRow beyond = rest.resting(rest.current(), null, left, false, rest.settled());
    assertThat(next(beyond.wishing(NEW), 0)).isEqualTo(new NextStep.Wait(NextStep.Wait.NO_TIME));
  }

  @Test
  void whatIsGoneLeavesTheRowBeforeItGrowsBeyondItsBound() {
    Set<PathSlot> left = new LinkedHashSet<>();
    for (int i = 0; i < PathRow.MAX_LEFTOVERS; i++) {
      PathSlot slot = new PathSlot(100 + i, 6);
      left.add(slot);
      // One of them stays, so the tag is not free.
      states.put(slot, i == 0 ? State.LEAVING : State.ABSENT);
    }
    PathRow rest = rest();
    PathRow row = rest.resting(rest.current(), null, left, false, rest.settled()).wishing(NEW);
    NextStep.Write write = (NextStep.Write) next(row, 0);
    PathRow written = requireNonNull(write.row());
    assertThat(written.phase()).isEqualTo(Phase.STEADY);
    assertThat(written.leftovers()).containsExactly(new PathSlot(100, 6));
    PathRow begun = ((NextStep.Write) next(written, 0)).row();
    assertThat(requireNonNull(begun).phase()).isEqualTo(Phase.PREPARE);
  }
}
