package io.lockstep.core.flow.placed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.RuleKey;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RuleGroupsTest {
  private static final RuleKey THERE = key(1);
  private static final RuleKey BACK = key(2);
  private static final RuleKey GUARD = key(3);
  private static final RuleKey OTHER_THERE = key(4);
  private static final RuleKey OTHER_BACK = key(5);

  private final RuleGroups groups = new RuleGroups();
  private final Set<RuleKey> inSwitch = new HashSet<>();

  private static RuleKey key(int number) {
    return new RuleKey(10, TernaryMatch.any().with(HeaderField.IN_PORT, number));
  }

  private boolean add(List<RuleKey> entries, RuleKey... guards) {
    return groups.add(entries, List.of(guards), inSwitch::contains);
  }

  private void placed(RuleKey... keys) {
    for (RuleKey key : keys) {
      inSwitch.add(key);
      groups.placed(key);
    }
  }

  @Test
  void aRuleInNoGroupIsAlone() {
    add(List.of(THERE));
    assertThat(groups.of(THERE)).isEmpty();
    assertThat(groups.endGroupsOf(THERE)).isEmpty();
  }

  @Test
  void anEntryWaitsForItsGuard() {
    add(List.of(THERE, BACK), GUARD);
    assertThat(groups.missingGuard(THERE)).isEqualTo(GUARD);
    assertThat(groups.missingGuard(GUARD)).isNull();
    placed(GUARD);
    assertThat(groups.missingGuard(THERE)).isNull();
    assertThat(groups.of(THERE).get(0).missingEntries()).containsExactly(THERE, BACK);
  }

  @Test
  void aRefusedEntryEndsThoseThatCameWithItAlsoInTheSwitchAndNoGuard() {
    add(List.of(THERE, BACK), GUARD);
    placed(GUARD, THERE);
    assertThat(groups.endGroupsOf(BACK)).containsExactly(THERE);
    assertThat(groups.of(BACK)).as("the group ended").isEmpty();
  }

  @Test
  void aRefusedGuardEndsAllEntriesThatWaitForItInTheirOrder() {
    inSwitch.addAll(Set.of(OTHER_THERE, OTHER_BACK));
    add(List.of(THERE, BACK), GUARD);
    add(List.of(OTHER_THERE, OTHER_BACK), GUARD);
    assertThat(groups.endGroupsOf(GUARD)).containsExactly(THERE, BACK, OTHER_THERE, OTHER_BACK);
    assertThat(groups.endGroupsOf(THERE)).isEmpty();
  }

  @Test
  void groupsThatShareAGuardDoNotEndEachOther() {
    add(List.of(THERE, BACK), GUARD);
    add(List.of(OTHER_THERE, OTHER_BACK), GUARD);
    assertThat(groups.endGroupsOf(OTHER_THERE)).containsExactly(OTHER_BACK);
    placed(GUARD);
    assertThat(groups.endGroupsOf(BACK)).containsExactly(THERE);
  }

  @Test
  void anEntryThatAnotherDecisionWaitsForOrHasStays() {
    add(List.of(THERE, BACK));
    add(List.of(THERE, OTHER_BACK));
    placed(THERE);
    assertThat(groups.endGroupsOf(OTHER_BACK)).as("the other waits").isEmpty();
    add(List.of(THERE, OTHER_BACK));
    placed(BACK);
    assertThat(groups.endGroupsOf(OTHER_BACK)).as("the switch has the other").isEmpty();
  }

  @Test
  void whatTheSwitchHadBeforeStaysWhereAnEntryIsRefused() {
    inSwitch.add(THERE);
    add(List.of(THERE, BACK, OTHER_BACK));
    assertThat(groups.endGroupsOf(BACK)).containsExactly(OTHER_BACK);
  }

  @Test
  void aWithdrawnRuleIsNoPartOfItsGroupsUntilItComesAgain() {
    add(List.of(THERE, BACK), GUARD);
    groups.withdrawn(THERE);
    groups.withdrawn(GUARD);
    assertThat(groups.missingGuard(BACK)).isNull();
    assertThat(groups.of(BACK).get(0).missingEntries()).containsExactly(BACK);
    add(List.of(THERE, BACK), GUARD);
    assertThat(groups.missingGuard(BACK)).isEqualTo(GUARD);
    assertThat(groups.endGroupsOf(GUARD)).containsExactly(THERE, BACK);
  }

  @Test
  void aRepeatedDecisionWaitsOnceAndWhatWaitsIsBounded() {
    for (int i = 0; i < 100_000; i++) {
      assertThat(add(List.of(THERE, BACK), GUARD)).isTrue();
    }
    assertThat(groups.of(THERE)).hasSize(1);
    int added = 1;
    while (add(List.of(key(10 + 2 * added), key(11 + 2 * added)), GUARD)) {
      added++;
    }
    assertThat(added).isEqualTo(RuleGroups.MAX_RULES / 3);
    placed(GUARD, THERE, BACK);
    assertThat(add(List.of(OTHER_THERE, OTHER_BACK), GUARD)).as("room again").isTrue();
  }
}
