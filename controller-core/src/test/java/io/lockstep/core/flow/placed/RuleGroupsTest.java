package io.lockstep.core.flow.placed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.RuleKey;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.List;
import org.junit.jupiter.api.Test;

class RuleGroupsTest {
  private static final RuleKey THERE = key(1);
  private static final RuleKey BACK = key(2);
  private static final RuleKey GUARD = key(3);
  private static final RuleKey OTHER = key(4);

  private final RuleGroups groups = new RuleGroups();

  private static RuleKey key(int number) {
    return new RuleKey(10, TernaryMatch.any().with(HeaderField.IN_PORT, number));
  }

  @Test
  void aRuleInNoGroupIsAlone() {
    assertThat(groups.with(THERE)).isEmpty();
    assertThat(groups.reject(THERE)).containsExactly(THERE);
  }

  @Test
  void aRejectedRuleTakesItsGroupAlongAlsoWhatTheSwitchHasByThen() {
    groups.add(List.of(THERE, BACK, GUARD));
    groups.forget(THERE);
    assertThat(groups.with(BACK)).containsExactly(THERE, BACK, GUARD);
    assertThat(groups.reject(GUARD)).containsExactly(GUARD, THERE, BACK);
    assertThat(groups.with(BACK)).as("the group ended").isEmpty();
  }

  @Test
  void groupsThatShareARuleThatIsToComeEndTogether() {
    groups.add(List.of(THERE, GUARD));
    groups.add(List.of(OTHER, GUARD));
    assertThat(groups.with(GUARD)).containsExactly(THERE, GUARD, OTHER);
    assertThat(groups.reject(THERE)).containsExactlyInAnyOrder(THERE, GUARD, OTHER);
  }

  @Test
  void groupsThatShareARuleOfTheSwitchDoNot() {
    groups.add(List.of(THERE, GUARD));
    groups.add(List.of(OTHER, GUARD));
    groups.forget(GUARD);
    assertThat(groups.reject(THERE)).containsExactlyInAnyOrder(THERE, GUARD);
    assertThat(groups.with(OTHER)).containsExactly(OTHER, GUARD);
  }
}
