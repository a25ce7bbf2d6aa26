package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.bftsmart.PeerNote.Known;
import io.lockstep.store.engine.bftsmart.StartRules.Answer;
import io.lockstep.store.log.Progress;
import io.lockstep.store.log.Start;
import org.junit.jupiter.api.Test;

/** The rules of docs/adr/0014. */
class StartRulesTest {
  private static final Start FIFTH = new Start(5, 55);
  private static final Start SIXTH = new Start(6, 66);
  private static final Start OTHER_SIXTH = new Start(6, 67);
  private static final Progress LITTLE = new Progress(3, 0, 100);
  private static final Progress MUCH = new Progress(3, 0, 200);

  private static Known known(Start start, Progress furthest) {
    return new Known(start, furthest);
  }

  private static boolean counts(Start kept, Known seen, Known said) {
    return StartRules.counts(kept, seen, true, said);
  }

  private static Answer answer(Start own, Progress found, Known said) {
    return StartRules.answer(own, true, found, said);
  }

  // ---------------------------------------------------------------- at the peer

  @Test
  void laterStartCountsAndAnEarlierOneDoesNot() {
    Known nothing = known(Start.NONE, Progress.NONE);
    assertThat(counts(Start.NONE, nothing, known(FIFTH, LITTLE))).as("the first").isTrue();
    assertThat(counts(FIFTH, nothing, known(SIXTH, LITTLE))).isTrue();
    assertThat(counts(FIFTH, nothing, known(FIFTH, LITTLE))).as("the same").isTrue();
    assertThat(counts(SIXTH, nothing, known(FIFTH, MUCH))).isFalse();
  }

  @Test
  void startWithTheSameNumberFromAnotherCopyDoesNotCount() {
    assertThat(counts(SIXTH, known(SIXTH, LITTLE), known(OTHER_SIXTH, MUCH))).isFalse();
  }

  @Test
  void laterStartWithLessThanWasSeenDoesNotCount() {
    assertThat(counts(FIFTH, known(FIFTH, MUCH), known(SIXTH, LITTLE))).isFalse();
    assertThat(counts(FIFTH, known(FIFTH, MUCH), known(SIXTH, MUCH))).isTrue();
    assertThat(counts(SIXTH, known(FIFTH, MUCH), known(SIXTH, LITTLE)))
        .as("also where another peer has kept it")
        .isFalse();
  }

  @Test
  void emptiedReplicaCountsWithAnyProgressButOnlyWithAHigherNumber() {
    Known seen = known(FIFTH, MUCH);
    assertThat(StartRules.counts(FIFTH, seen, false, known(SIXTH, Progress.NONE))).isTrue();
    assertThat(StartRules.counts(FIFTH, seen, false, known(new Start(1, 9), Progress.NONE)))
        .isFalse();
  }

  // ---------------------------------------------------------------- at the replica itself

  @Test
  void peerThatKeepsThisStartSaysSo() {
    assertThat(answer(SIXTH, LITTLE, known(SIXTH, MUCH))).isEqualTo(Answer.KEPT);
    assertThat(answer(SIXTH, LITTLE, known(FIFTH, LITTLE))).isEqualTo(Answer.OPEN);
    assertThat(answer(SIXTH, LITTLE, known(Start.NONE, Progress.NONE))).isEqualTo(Answer.OPEN);
  }

  @Test
  void copyFromBeforeTheLastStartIsOutdated() {
    assertThat(answer(FIFTH, MUCH, known(SIXTH, Progress.NONE))).isEqualTo(Answer.OUTDATED);
    assertThat(answer(OTHER_SIXTH, MUCH, known(SIXTH, Progress.NONE)))
        .as("its last start had the same number")
        .isEqualTo(Answer.OUTDATED);
  }

  @Test
  void copyFromWithinTheLastRunHasRegressed() {
    assertThat(answer(SIXTH, LITTLE, known(FIFTH, MUCH))).isEqualTo(Answer.REGRESSED);
    assertThat(answer(SIXTH, MUCH, known(FIFTH, new Progress(4, 0, 100))))
        .as("fewer promises")
        .isEqualTo(Answer.REGRESSED);
    assertThat(answer(SIXTH, new Progress(5, 0, 100), known(FIFTH, MUCH)))
        .as("what it took back counts as a change")
        .isEqualTo(Answer.OPEN);
  }

  @Test
  void replicaThatRemembersNothingIsNoOldCopyAndTakesAHigherNumber() {
    Start first = new Start(1, 11);
    assertThat(StartRules.answer(first, false, Progress.NONE, known(SIXTH, MUCH)))
        .isEqualTo(Answer.TAKEN);
    assertThat(StartRules.answer(new Start(7, 77), false, Progress.NONE, known(SIXTH, MUCH)))
        .isEqualTo(Answer.OPEN);
  }

  // ---------------------------------------------------------------- taking part

  @Test
  void majorityHasToKeepTheStart() {
    assertThat(StartRules.mayTakePart(1, 0, 0, 0)).isTrue();
    assertThat(StartRules.mayTakePart(3, 0, 0, 60_000)).isFalse();
    assertThat(StartRules.mayTakePart(3, 1, 0, 0)).isTrue();
    assertThat(StartRules.mayTakePart(5, 1, 0, 60_000)).isFalse();
    assertThat(StartRules.mayTakePart(5, 2, 0, 0)).isTrue();
  }

  @Test
  void peerThatMayKnowBetterIsWaitedForNotForLong() {
    assertThat(StartRules.mayTakePart(3, 1, 1, StartRules.PATIENCE_MILLIS - 1)).isFalse();
    assertThat(StartRules.mayTakePart(3, 1, 1, StartRules.PATIENCE_MILLIS)).isTrue();
  }
}
