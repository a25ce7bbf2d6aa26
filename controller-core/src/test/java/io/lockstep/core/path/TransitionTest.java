package io.lockstep.core.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.path.Transition.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** All pairs of simple paths between two switches of a complete network of six. */
class TransitionTest {
  private static final long SIZE = 6;

  private static void extend(List<Long> begin, List<List<Long>> all) {
    List<Long> whole = new ArrayList<>(begin);
    whole.add(SIZE);
    all.add(whole);
    for (long next = 2; next < SIZE; next++) {
      if (!begin.contains(next)) {
        List<Long> longer = new ArrayList<>(begin);
        longer.add(next);
        extend(longer, all);
      }
    }
  }

  private static List<List<Hop>> allPaths() {
    List<List<Long>> all = new ArrayList<>();
    extend(List.of(1L), all);
    return all.stream().map(PathModel::hops).toList();
  }

  /** What a packet meets; fails where it comes to a switch twice, or to one without a rule. */
  private static List<Hop> walk(Map<PathSlot, SlotRule> rules) {
    List<Hop> taken = new ArrayList<>();
    Set<Long> seen = new HashSet<>();
    PathSlot at = new PathSlot(1, 0);
    while (true) {
      String where = "no rule in " + at + " behind " + taken;
      SlotRule rule = Objects.requireNonNull(rules.get(at), where);
      assertThat(seen.add(at.dpid())).as("twice at %s by %s", at, taken).isTrue();
      taken.add(new Hop(at.dpid(), rule.outPort()));
      if (rule.outPort() == PathModel.HOST) {
        assertThat(rule.nextTag()).isZero();
        return taken;
      }
      at = new PathSlot(rule.outPort(), rule.nextTag());
    }
  }

  private static int follow(Route from, Route to, boolean whole) {
    Transition transition = Transition.of(from, to);
    Map<PathSlot, SlotRule> rules = new HashMap<>();
    from.rules().forEach(rule -> rules.put(rule.slot(), rule));
    for (SlotRule rule : transition.prepared()) {
      rules.put(rule.slot(), rule);
      assertThat(walk(rules)).isEqualTo(from.hops());
    }
    for (Step step : transition.steps()) {
      SlotRule now = step.now();
      assertThat(rules.get(step.slot())).isEqualTo(step.before());
      if (now == null) {
        rules.remove(step.slot());
      } else {
        rules.put(now.slot(), now);
      }
      List<Hop> taken = walk(rules);
      assertThat(!whole || taken.equals(from.hops()) || taken.equals(to.hops())).isTrue();
    }
    assertThat(walk(rules)).isEqualTo(to.hops());
    transition.gone().forEach(rule -> rules.remove(rule.slot()));
    assertThat(rules.values()).containsExactlyInAnyOrderElementsOf(to.rules());
    return transition.steps().size();
  }

  @Test
  void everyStepBetweenUntaggedVersionsLeavesOnePathWithoutALoop() {
    List<List<Hop>> all = allPaths();
    assertThat(all).hasSize(65);
    int most = 0;
    for (List<Hop> from : all) {
      for (List<Hop> to : all) {
        most = Math.max(most, follow(new Route(0, from), new Route(0, to), false));
      }
    }
    assertThat(most).isEqualTo(5);
  }

  @Test
  void betweenTagsOneStepAtTheIngressChangesThePath() {
    List<List<Hop>> all = allPaths();
    for (List<Hop> from : all) {
      for (List<Hop> to : all) {
        assertThat(follow(new Route(7, from), new Route(8, to), true)).isEqualTo(1);
        assertThat(follow(new Route(7, from), new Route(0, to), true)).isEqualTo(1);
        assertThat(follow(new Route(0, from), new Route(8, to), true)).isEqualTo(1);
      }
    }
  }

  @Test
  void thatOfFigureOneGoesBackwardsFromTheEgress() {
    Route before = new Route(0, PathModel.hops(List.of(1L, 2L, 3L, 4L)));
    Route after = new Route(0, PathModel.hops(List.of(1L, 3L, 2L, 4L)));
    Transition transition = Transition.of(before, after);
    assertThat(transition.steps().stream().map(step -> step.slot().dpid()))
        .containsExactly(2L, 3L, 1L);
    assertThat(transition.prepared()).containsExactly(new SlotRule(new PathSlot(4, 0), 0, 99));
    assertThat(transition.gone()).isEmpty();
  }

  @Test
  void anIngressThatMovesEntersLastAndTheOldOneGoesBeforeTheRest() {
    Route before = new Route(7, PathModel.hops(List.of(1L, 2L, 4L)));
    Route after = new Route(8, PathModel.hops(List.of(3L, 2L, 4L)));
    Transition transition = Transition.of(before, after);
    assertThat(transition.steps())
        .containsExactly(
            new Step(new SlotRule(new PathSlot(3, 0), 8, 2), null),
            new Step(null, new SlotRule(new PathSlot(1, 0), 7, 2)));
    assertThat(transition.gone()).hasSize(2);
  }

  @Test
  void aPathComesWithItsIngressLastAndGoesWithItFirst() {
    Route path = new Route(7, PathModel.hops(List.of(1L, 2L, 3L)));
    Transition comes = Transition.of(Route.NONE, path);
    assertThat(comes.steps()).containsExactly(new Step(path.rules().get(0), null));
    assertThat(comes.prepared()).containsExactly(path.rules().get(2), path.rules().get(1));
    Transition goes = Transition.of(path, Route.NONE);
    assertThat(goes.steps()).containsExactly(new Step(null, path.rules().get(0)));
    assertThat(goes.gone()).containsExactly(path.rules().get(1), path.rules().get(2));
  }

  @Test
  void aSwitchTwiceOnAPathIsRefusedByName() {
    assertThatThrownBy(() -> new Route(0, PathModel.hops(List.of(1L, 26L, 1L))))
        .hasMessageContaining("switch 1 is on the path twice");
    List<Long> many = new ArrayList<>();
    for (long dpid = 1; dpid <= Route.MAX_HOPS; dpid++) {
      many.add(dpid);
    }
    assertThat(new Route(1, PathModel.hops(many)).rules()).hasSize(Route.MAX_HOPS);
    many.add(99L);
    assertThatThrownBy(() -> Route.check(PathModel.hops(many))).hasMessageContaining("at most 32");
  }
}
