package io.lockstep.core.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.RoomRules;
import io.lockstep.core.path.PathRow.Phase;
import io.lockstep.core.path.PathRow.Settled;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Random interleavings of nodes, switches and packets. One seed again: {@code mvn test -pl
 * controller-core -Dtest=PathModelTest -Dlockstep.sim.seed=N}.
 */
class PathModelTest {
  private static final long FLIGHT_MILLIS = 30;
  private static final int SEEDS = 400;
  private static final int STEPS = 3_000;

  private static void forEachSeed(Consumer<Random> run) {
    long only = Long.getLong("lockstep.sim.seed", 0);
    long percent = Long.getLong("lockstep.sim.percent", 100);
    long last = only > 0 ? only : Math.max(1, SEEDS * percent / 100);
    for (long seed = only > 0 ? only : 1; seed <= last; seed++) {
      try {
        run.accept(new Random(seed));
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private static final PathModel.Driver OURS =
      (row, view, waited, freeTag) ->
          PathSteps.next(row, view::known, waited, FLIGHT_MILLIS, () -> freeTag);

  /** A simple path from switch 1 to switch {@code size}, over some of the others in any order. */
  private static List<Long> anyPath(Random random, int size) {
    List<Long> inner = new ArrayList<>();
    for (long dpid = 2; dpid < size; dpid++) {
      if (random.nextInt(3) > 0) {
        inner.add(dpid);
      }
    }
    Collections.shuffle(inner, random);
    List<Long> path = new ArrayList<>(List.of(1L));
    path.addAll(inner);
    path.add((long) size);
    return path;
  }

  private static PathModel run(
      Random random, PathModel.Driver driver, Consumer<PathModel> before, boolean removals) {
    return run(random, driver, before, removals, FLIGHT_MILLIS);
  }

  private static PathModel run(
      Random random,
      PathModel.Driver driver,
      Consumer<PathModel> before,
      boolean removals,
      long flightMillis) {
    int size = 4 + random.nextInt(3);
    PathModel model = new PathModel(random, size, flightMillis, driver);
    before.accept(model);
    model.wish(anyPath(random, size));
    for (int i = 0; i < STEPS; i++) {
      if (random.nextInt(100) == 0) {
        model.wish(removals && random.nextInt(5) == 0 ? List.of() : anyPath(random, size));
      }
      model.step(true);
    }
    return model;
  }

  private static void assertWhole(PathModel model) {
    assertThat(model.violations).isEmpty();
    model.settle(400);
    assertThat(model.violations).isEmpty();
    assertThat(model.wrongAtRest()).isNull();
  }

  @Test
  void withTagsEachPacketTakesOneVersionWhateverHappensMeanwhile() {
    int[] sums = new int[2];
    forEachSeed(
        random -> {
          PathModel model = run(random, OURS, m -> m.wholeVersions = true, true);
          assertWhole(model);
          sums[0] += model.delivered;
          sums[1] += model.changesDone();
        });
    assertThat(sums[0]).as("packets that arrived").isGreaterThan(50);
    assertThat(sums[1]).as("changes that took place").isGreaterThan(10);
  }

  @Test
  void withoutTagsNoPacketCirclesAndNoneIsLost() {
    forEachSeed(
        random -> {
          PathModel model = run(random, OURS, m -> m.at(1).refusesTags = true, true);
          assertWhole(model);
          PathRow row = model.store.now().row();
          assertThat(row == null || row.current().tag() == 0).isTrue();
        });
  }

  @Test
  void anInnerSwitchThatRefusesTagsLeavesTheFlowWhole() {
    forEachSeed(
        random -> {
          PathModel model = run(random, OURS, m -> m.at(2).refusesInner = true, false);
          assertWhole(model);
        });
  }

  @Test
  void tooFewTagsLeaveTheFlowWhole() {
    forEachSeed(random -> assertWhole(run(random, OURS, m -> m.tags = 1, true)));
  }

  @Test
  void theModelFindsWhatAgreedOrderWithoutConfirmationDoes() {
    PathModel.Driver atOnce =
        (row, view, waited, freeTag) -> {
          PathRow.Wish wish = row.wish();
          if (wish == null) {
            return new NextStep.Wait(NextStep.Wait.NO_TIME);
          }
          Route next = new Route(0, wish.hops());
          List<SlotRule> gone = new ArrayList<>(row.current().rules());
          gone.removeIf(
              old -> next.rules().stream().anyMatch(rule -> rule.slot().equals(old.slot())));
          return NextStep.Write.of(
              row.resting(next, null, row.leftovers(), true, new Settled(wish.ticket(), "")),
              next.rules(),
              gone);
        };
    List<String> found = new ArrayList<>();
    forEachSeed(random -> found.addAll(run(random, atOnce, m -> {}, false).violations));
    assertThat(found).anyMatch(one -> one.contains("twice")).anyMatch(one -> one.contains("lost"));
  }

  @Test
  void theModelFindsOldRulesThatGoTooEarly() {
    PathModel.Driver hasty =
        (row, view, waited, freeTag) -> PathSteps.next(row, view::known, waited, 0, () -> freeTag);
    List<String> found = new ArrayList<>();
    forEachSeed(
        random -> found.addAll(run(random, hasty, m -> {}, false, 20 * FLIGHT_MILLIS).violations));
    assertThat(found).anyMatch(one -> one.contains("lost"));
  }

  @Test
  void theModelFindsStepsThatAreNotConfirmed() {
    PathModel.Driver trusting =
        (row, view, waited, freeTag) ->
            PathSteps.next(
                row,
                slot -> {
                  boolean sent = row.phase() == Phase.PREPARE || row.phase() == Phase.SWITCH;
                  return sent && view.intents().containsKey(slot)
                      ? new RoomRules.Known(RoomRules.State.INSTALLED, "")
                      : view.known(slot);
                },
                waited,
                FLIGHT_MILLIS,
                () -> freeTag);
    List<String> found = new ArrayList<>();
    forEachSeed(random -> found.addAll(run(random, trusting, m -> {}, false).violations));
    assertThat(found).anyMatch(one -> one.contains("lost"));
  }
}
