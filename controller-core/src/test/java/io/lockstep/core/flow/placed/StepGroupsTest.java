package io.lockstep.core.flow.placed;

import static io.lockstep.core.flow.placed.PlacementFixture.NOW;
import static io.lockstep.core.flow.placed.PlacementFixture.rule;
import static io.lockstep.core.flow.placed.PlacementFixture.separate;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.Change;
import io.lockstep.placer.LogicalChange;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Preparation;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.Step;
import io.lockstep.store.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepGroupsTest {
  private static final Bytes TREATMENT = Bytes.utf8("out");

  private final PlacementFixture fixture = new PlacementFixture(4, 64);

  private static Step add(int layer, RuleKey key) {
    return new Step(Step.Kind.ADD, layer, key, key, TREATMENT, false, null);
  }

  private static Step delete(int layer, RuleKey key) {
    return new Step(Step.Kind.DELETE, layer, key, key, null, false, null);
  }

  private StepGroups groups(Step... steps) {
    return new StepGroups(new Plan(new Change.Improve(), List.of(steps)), fixture.placement);
  }

  private static List<List<Integer>> all(StepGroups groups) {
    List<List<Integer>> all = new ArrayList<>();
    for (List<Integer> next = groups.next(); !next.isEmpty(); next = groups.next()) {
      all.add(next);
    }
    return all;
  }

  @Test
  void stepsThatShareNoPacketGoTogetherAndOthersKeepTheirOrder() {
    RuleKey one = separate(1).key();
    RuleKey two = separate(2).key();
    RuleKey wide = rule(5, "10.0.0.0/8", 1).key();
    assertThat(all(groups(add(1, one), delete(0, one), add(1, two), delete(0, two), add(1, wide))))
        .containsExactly(List.of(0, 2), List.of(1, 3), List.of(4));
  }

  @Test
  void aStepThatChangesTheTableIsAloneBehindAllBefore() {
    RuleKey one = separate(1).key();
    RuleKey two = separate(2).key();
    Step visible = new Step(Step.Kind.DELETE, 0, two, two, null, true, new LogicalChange.Drop(two));
    assertThat(all(groups(add(1, one), visible, delete(0, separate(3).key()))))
        .containsExactly(List.of(0), List.of(1), List.of(2));
  }

  @Test
  void noStepTakesTheRoomThatAnEarlierOneIsToFree() {
    for (int i = 1; i <= 3; i++) {
      fixture.install(separate(i));
    }
    RuleKey leaves = separate(1).key();
    // One unit is free. The first two overlap, so the second waits, and the unit is its own.
    assertThat(
            all(
                groups(
                    add(1, rule(7, "10.8.0.0/15", 1).key()),
                    add(0, rule(8, "10.9.0.0/16", 1).key()),
                    delete(0, leaves),
                    add(0, separate(4).key()))))
        .containsExactly(List.of(0, 2), List.of(1), List.of(3));
  }

  @Test
  void hiddenRulesThatOverlapComeTogether() {
    LogicalRule hiding = rule(90, "10.0.0.0/8", 1);
    fixture.install(hiding);
    fixture.install(rule(50, "10.1.0.0/16", 1));
    fixture.install(rule(40, "10.1.1.0/24", 2));
    fixture.install(rule(30, "10.0.0.0/9", 3));
    Preparation preparation = fixture.placement.placer().prepare(hiding.key(), 10);
    assertThat(preparation.homeless()).isEmpty();
    StepGroups groups = new StepGroups(preparation.plan(), fixture.placement);
    assertThat(groups.next()).hasSize(preparation.plan().steps().size());
    preparation.plan().steps().forEach(step -> fixture.placement.confirm(step, null, NOW));
    assertThat(fixture.placement.placer().prepare(hiding.key(), 10).plan().steps()).isEmpty();
  }
}
