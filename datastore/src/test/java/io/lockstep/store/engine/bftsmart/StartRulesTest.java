package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.bftsmart.PeerNote.Known;
import io.lockstep.store.engine.bftsmart.StartRules.Answer;
import io.lockstep.store.log.OwnStart;
import io.lockstep.store.log.Progress;
import io.lockstep.store.log.Start;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of docs/adr/0014. */
class StartRulesTest {
  private static final Start FOURTH = new Start(4, 44);
  private static final Start FIFTH = new Start(5, 55);
  private static final Start SIXTH = new Start(6, 66);
  private static final Start OTHER_SIXTH = new Start(6, 67);
  private static final Start SEVENTH = new Start(7, 77);
  private static final Progress LITTLE = new Progress(3, 0, 100);
  private static final Progress MUCH = new Progress(3, 0, 200);
  private static final Progress MOST = new Progress(3, 0, 300);

  /** What is kept was also heard. */
  private static Known known(Start start, Progress furthest) {
    return new Known(start, start, furthest);
  }

  private static Known kept(Start start) {
    return new Known(start, Start.NONE, Progress.NONE);
  }

  private static OwnStart had(Start start, Progress found) {
    return new OwnStart(start, found);
  }

  // ---------------------------------------------------------------- at the peer

  @Test
  void laterStartCountsAndAnEarlierOneDoesNot() {
    assertThat(StartRules.counts(Known.NOTHING, Start.NONE, known(FIFTH, LITTLE))).isTrue();
    assertThat(StartRules.counts(kept(FIFTH), FIFTH, known(SIXTH, LITTLE))).isTrue();
    assertThat(StartRules.counts(kept(FIFTH), FOURTH, known(FIFTH, LITTLE))).isTrue();
    assertThat(StartRules.counts(kept(SIXTH), FOURTH, known(FIFTH, MUCH))).isFalse();
  }

  @Test
  void replicaThatHasNotTakenANumberDoesNotCount() {
    assertThat(StartRules.counts(Known.NOTHING, Start.NONE, known(Start.NONE, LITTLE))).isFalse();
    assertThat(StartRules.counts(kept(FIFTH), FIFTH, known(Start.NONE, LITTLE))).isFalse();
  }

  @Test
  void startWithTheSameNumberFromAnotherCopyDoesNotCount() {
    assertThat(StartRules.counts(known(SIXTH, LITTLE), FIFTH, known(OTHER_SIXTH, MUCH))).isFalse();
  }

  @Test
  void laterStartWithLessThanWasHeardDoesNotCount() {
    Known heard = known(FIFTH, MUCH);
    assertThat(StartRules.counts(heard, FIFTH, known(SIXTH, LITTLE))).isFalse();
    assertThat(StartRules.counts(heard, FIFTH, known(SIXTH, MUCH))).isTrue();
    assertThat(StartRules.counts(new Known(SIXTH, FIFTH, MUCH), FIFTH, known(SIXTH, LITTLE)))
        .as("also where another peer has kept it")
        .isFalse();
  }

  @Test
  void emptiedReplicaCountsWithAnyProgressButOnlyWithAHigherNumber() {
    Known heard = known(FIFTH, MUCH);
    assertThat(StartRules.counts(heard, Start.NONE, known(SIXTH, Progress.NONE))).isTrue();
    assertThat(StartRules.counts(heard, Start.NONE, known(FOURTH, Progress.NONE))).isFalse();
    assertThat(StartRules.counts(heard, SIXTH, known(SEVENTH, LITTLE)))
        .as("nor in the start after the one that was not heard")
        .isTrue();
  }

  // ---------------------------------------------------------------- at the replica itself

  private static final List<OwnStart> TO_FIFTH =
      List.of(had(FOURTH, Progress.NONE), had(FIFTH, LITTLE));
  private static final List<OwnStart> TO_SIXTH =
      List.of(had(FOURTH, Progress.NONE), had(FIFTH, LITTLE), had(SIXTH, MUCH));

  /** Before it has taken a number. */
  private static Answer before(List<OwnStart> starts, Progress found, Known said) {
    return StartRules.answer(true, starts, false, found, said);
  }

  private static Answer after(List<OwnStart> starts, Known said) {
    return StartRules.answer(true, starts, true, MUCH, said);
  }

  @Test
  void peerThatKeepsThisStartSaysSo() {
    assertThat(after(TO_SIXTH, known(SIXTH, MOST))).isEqualTo(Answer.KEPT);
    assertThat(after(TO_SIXTH, new Known(SIXTH, FIFTH, MUCH))).isEqualTo(Answer.KEPT);
    assertThat(after(TO_SIXTH, known(FIFTH, MUCH))).isEqualTo(Answer.OPEN);
    assertThat(after(TO_SIXTH, Known.NOTHING)).isEqualTo(Answer.OPEN);
    assertThat(before(TO_SIXTH, MUCH, known(SIXTH, MUCH)))
        .as("the last one")
        .isEqualTo(Answer.OPEN);
  }

  @Test
  void copyFromBeforeTheLastStartIsOutdated() {
    assertThat(before(TO_FIFTH, MOST, kept(SIXTH))).isEqualTo(Answer.OUTDATED);
    assertThat(before(List.of(), MOST, kept(FOURTH)))
        .as("it has lost its numbers")
        .isEqualTo(Answer.OUTDATED);
  }

  @Test
  void copyThatTookPartAmongOthersIsOutdatedHoweverOftenItWasStarted() {
    List<OwnStart> other =
        List.of(had(FIFTH, LITTLE), had(OTHER_SIXTH, LITTLE), had(SEVENTH, LITTLE));
    assertThat(before(other, MUCH, kept(SIXTH))).isEqualTo(Answer.OUTDATED);
    assertThat(after(other, kept(SIXTH))).isEqualTo(Answer.OUTDATED);
    assertThat(after(other, new Known(SEVENTH, SIXTH, LITTLE)))
        .as("of a peer that has kept its start since")
        .isEqualTo(Answer.OUTDATED);
  }

  @Test
  void copyFromWithinTheLastRunHasRegressed() {
    assertThat(before(TO_FIFTH, LITTLE, known(FIFTH, MUCH))).isEqualTo(Answer.REGRESSED);
    assertThat(before(TO_FIFTH, MUCH, known(FIFTH, new Progress(4, 0, 100))))
        .as("fewer promises")
        .isEqualTo(Answer.REGRESSED);
    assertThat(before(TO_FIFTH, new Progress(5, 0, 100), known(FIFTH, MUCH)))
        .as("what it took back counts as a change")
        .isEqualTo(Answer.OPEN);
    assertThat(before(TO_FIFTH, MUCH, known(FIFTH, MUCH))).isEqualTo(Answer.OPEN);
  }

  @Test
  void copyFromWithinARunHasRegressedHoweverOftenItWasStarted() {
    assertThat(before(TO_SIXTH, MOST, known(FIFTH, MOST))).isEqualTo(Answer.REGRESSED);
    assertThat(after(TO_SIXTH, known(FIFTH, MOST))).isEqualTo(Answer.REGRESSED);
    assertThat(after(TO_SIXTH, new Known(SIXTH, FIFTH, MOST)))
        .as("of a peer that has kept its start since")
        .isEqualTo(Answer.REGRESSED);
  }

  @Test
  void refilledReplicaIsNotHeldToWhatItHadBefore() {
    List<OwnStart> refilled = List.of(had(SIXTH, Progress.NONE), had(SEVENTH, LITTLE));
    assertThat(after(refilled, known(FIFTH, MUCH)))
        .as("by a peer that has not heard it since")
        .isEqualTo(Answer.OPEN);
  }

  @Test
  void replicaThatRemembersNothingIsNoOldCopyAndTakesAHigherNumber() {
    assertThat(StartRules.answer(false, List.of(), false, Progress.NONE, known(SIXTH, MUCH)))
        .isEqualTo(Answer.TAKEN);
    assertThat(
            StartRules.answer(
                false, List.of(had(OTHER_SIXTH, LITTLE)), true, LITTLE, known(SIXTH, MUCH)))
        .isEqualTo(Answer.TAKEN);
    assertThat(
            StartRules.answer(
                false, List.of(had(SEVENTH, LITTLE)), true, LITTLE, known(SIXTH, MUCH)))
        .isEqualTo(Answer.OPEN);
  }

  // ---------------------------------------------------------------- taking part

  @Test
  void majorityHasToAnswer() {
    assertThat(StartRules.enough(1, 0, 0, 0)).isTrue();
    assertThat(StartRules.enough(3, 0, 0, 60_000)).isFalse();
    assertThat(StartRules.enough(3, 1, 0, 0)).isTrue();
    assertThat(StartRules.enough(5, 1, 0, 60_000)).isFalse();
    assertThat(StartRules.enough(5, 2, 0, 0)).isTrue();
  }

  @Test
  void peerThatMayKnowBetterIsWaitedForNotForLong() {
    assertThat(StartRules.enough(3, 1, 1, StartRules.PATIENCE_MILLIS - 1)).isFalse();
    assertThat(StartRules.enough(3, 1, 1, StartRules.PATIENCE_MILLIS)).isTrue();
  }
}
