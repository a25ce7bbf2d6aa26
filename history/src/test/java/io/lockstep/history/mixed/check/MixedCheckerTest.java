package io.lockstep.history.mixed.check;

import static io.lockstep.history.mixed.check.TestSteps.left;
import static io.lockstep.history.mixed.check.TestSteps.right;
import static io.lockstep.history.mixed.check.TestSteps.sawLeft;
import static io.lockstep.history.mixed.check.TestSteps.sawRight;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.history.mixed.Step.Range;
import org.junit.jupiter.api.Test;

class MixedCheckerTest {
  private final TestSteps steps = new TestSteps();

  private void isRight() {
    assertThat(steps.complaints()).isEmpty();
  }

  private void isWrong(String summary) {
    assertThat(steps.complaints()).anyMatch(complaint -> complaint.contains(summary));
  }

  // ---- atomicity

  @Test
  void aBatchIsThereAsAWhole() {
    steps.at(0, 9).batch(5, left("a", "x"), right("a", "x"));
    steps.at(10, 19).readAt(6, sawLeft("a", "x", 5), sawRight("a", "x", 5));
    isRight();
  }

  @Test
  void halfABatchIsSeen() {
    steps.at(0, 9).batch(5, left("a", "x"), right("a", "x"));
    steps.at(10, 19).readAt(6, sawLeft("a", "x", 5), sawRight("a", null, 0));
    isWrong("ATOMICITY: read version 0 at 6, when it was 5");
  }

  @Test
  void halfOfAnUnansweredBatchIsSeen() {
    steps.at(0, 9).batch(5, left("a", "x"), right("a", "x"));
    steps.at(10, 19).unanswered(left("a", "y"), right("a", "y"));
    steps.at(20, 29).readAt(9, sawLeft("a", "y", 7), sawRight("a", "x", 5));
    isWrong("ATOMICITY: read version 5 at 9, when it was 7");
  }

  @Test
  void anUnansweredBatchMayComeLateOrNever() {
    steps.at(0, 9).batch(5, left("a", "x"), right("a", "x"));
    steps.at(10, 19).unanswered(left("a", "y"), right("a", "y"));
    steps.at(20, 29).readAt(6, sawLeft("a", "x", 5), sawRight("a", "x", 5));
    isRight();
    steps.at(30, 39).readAt(9, sawLeft("a", "y", 8), sawRight("a", "y", 8));
    isRight();
  }

  @Test
  void theWritesOfABatchHaveOneIndex() {
    steps.at(0, 9).batch(5, left("a", "x"), right("a", "x"));
    steps.at(10, 19).readAt(8, sawLeft("a", "x", 5), sawRight("a", "x", 6));
    isWrong("read x with version 6, written at 5");
  }

  @Test
  void aRejectedBatchTookEffect() {
    steps.at(0, 9).rejected(left("a", "x"));
    steps.at(10, 19).get(sawLeft("a", "x", 5));
    isWrong("whose write was refused");
  }

  @Test
  void aValueThatWasNeverWritten() {
    steps.at(10, 19).get(sawLeft("a", "x", 5));
    isWrong("never written");
  }

  @Test
  void aValueOfAnotherEntry() {
    steps.at(0, 9).batch(5, left("a", "x"));
    steps.at(10, 19).get(sawLeft("b", "x", 5));
    isWrong("written elsewhere");
  }

  @Test
  void anAcknowledgedBatchIsLost() {
    steps.at(0, 9).batch(5, left("a", "x"), right("a", "x"));
    steps.at(10, 19).get(sawRight("a", null, 0));
    isWrong("READ: right/a is missing");
  }

  @Test
  void twoStepsHaveOneIndex() {
    steps.at(0, 9).batch(5, left("a", "x"));
    steps.at(0, 9).batch(5, left("b", "y"));
    isWrong("index 5 was given twice");
  }

  @Test
  void aStepTakesEffectAfterThoseThatEndedBefore() {
    steps.at(0, 9).batch(5, left("a", "x"));
    steps.at(10, 19).batch(4, left("b", "y"));
    isWrong("took effect at 4, after an answer had named 5");
  }

  // ---- micro components

  @Test
  void aComponentReadsWhatItReplaces() {
    steps.at(0, 9).batch(5, left("a", "x"), right("b", "x"));
    steps.at(10, 19).exchange(6, "y", sawLeft("a", "x", 5), sawRight("b", "x", 5));
    steps.at(20, 29).exchange(7, "z", sawLeft("a", "y", 6), sawRight("c", null, 0));
    isRight();
  }

  @Test
  void aComponentReadsWhatWasOverwritten() {
    steps.at(0, 9).batch(5, left("a", "x"), right("b", "x"));
    steps.at(5, 19).batch(6, right("b", "y"));
    steps.at(5, 19).exchange(7, "z", sawLeft("a", "x", 5), sawRight("b", "x", 5));
    isWrong("ATOMICITY: read version 5 at 7, when it was 6");
  }

  @Test
  void aComponentIsAppliedTwice() {
    steps.at(0, 9).exchange(5, "x", sawLeft("a", null, 0));
    steps.at(10, 19).batch(6, left("a", "y"));
    steps.at(20, 29).get(sawLeft("a", "x", 7));
    isWrong("read x with version 7, written at 5");
  }

  // ---- scans

  @Test
  void aScanIsOfOneIndex() {
    steps.at(0, 9).batch(5, left("a", "x"), left("b", "x"));
    steps.at(5, 30).batch(6, left("a", "y"));
    steps.at(5, 30).batch(7, left("b", "z"));
    steps.at(10, 25).scan(sawLeft("a", "y", 6), sawLeft("b", "x", 5));
    isRight();
  }

  @Test
  void aScanMixesTwoIndices() {
    steps.at(0, 9).batch(5, left("a", "x"), left("b", "x"));
    steps.at(5, 30).batch(6, left("a", "y"));
    steps.at(5, 30).batch(7, left("b", "z"));
    steps.at(10, 25).scan(sawLeft("a", "x", 5), sawLeft("b", "z", 7));
    isWrong("SCAN: no index fits");
  }

  @Test
  void aScanMissesAnEntry() {
    steps.at(0, 9).batch(5, left("a", "x"), left("b", "x"));
    steps.at(10, 25).scan(sawLeft("a", "x", 5));
    isWrong("SCAN: left/b is missing at every index");
  }

  @Test
  void aScanKnowsRemovedEntries() {
    steps.at(0, 9).batch(5, left("a", "x"), left("b", "x"));
    steps.at(5, 30).batch(6, left("b", null), right("b", "y"));
    steps.at(10, 25).scan(sawLeft("a", "x", 5));
    isRight();
  }

  @Test
  void aScanMayBeBeforeTheFirstEntry() {
    steps.at(0, 30).batch(5, left("a", "x"));
    steps.at(0, 30).scan();
    isRight();
  }

  @Test
  void aScanDoesNotMissWhatWasRemovedAndComeBack() {
    steps.at(0, 9).batch(5, left("a", "x"), left("b", "x"));
    steps.at(5, 30).batch(6, left("b", null), right("b", "y"));
    steps.at(5, 30).batch(8, left("b", "z"), left("a", "z"));
    steps.at(10, 25).scan(sawLeft("a", "z", 8));
    isWrong("SCAN: left/b is missing at every index");
  }

  @Test
  void aScanIsNotOlderThanWhatWasAnsweredBefore() {
    steps.at(0, 9).batch(5, left("a", "x"));
    steps.at(10, 19).batch(6, left("a", "y"));
    steps.at(20, 29).scan(sawLeft("a", "x", 5));
    isWrong("SCAN: no index fits");
  }

  @Test
  void aScanIsNotNewerThanWhatWasSentAfterIt() {
    steps.at(0, 9).batch(5, left("a", "x"));
    steps.at(0, 50).batch(8, left("b", "y"));
    steps.at(10, 19).scan(sawLeft("a", "x", 5), sawLeft("b", "y", 8));
    steps.at(20, 29).batch(7, left("c", "z"));
    isWrong("took effect at 7, after an answer had named 8");
    isWrong("SCAN: no index fits");
  }

  @Test
  void aScanOfARangeSaysNothingOfTheRest() {
    steps.at(0, 9).batch(5, left("a", "x"), left("b", "x"), left("c", "x"));
    steps.at(10, 19).scanOf(new Range("left", "b", "c"), sawLeft("b", "x", 5));
    isRight();
    steps.at(20, 29).scanOf(new Range("left", "b", null), sawLeft("b", "x", 5));
    isWrong("SCAN: left/c is missing");
  }

  @Test
  void aRemoveWithoutAnswerExplainsAnAbsence() {
    steps.at(0, 9).batch(5, left("a", "x"));
    steps.at(20, 29).unanswered(left("a", null), right("a", "y"));
    steps.at(10, 19).scan(sawLeft("a", "x", 5));
    steps.at(30, 39).scan();
    isRight();
  }

  @Test
  void aRemoveWithoutAnswerExplainsNothingBeforeItWasSent() {
    steps.at(0, 9).batch(5, left("a", "x"));
    steps.at(10, 19).scan();
    steps.at(20, 29).unanswered(left("a", null), right("a", "y"));
    isWrong("SCAN: left/a is missing");
  }

  // ---- fencing

  @Test
  void theHolderOfALeaseWrites() {
    steps.at(0, 9).takeLease(5, "h1");
    steps.at(10, 19).guarded(5, 6, "x");
    steps.at(20, 29).takeLease(7, "h2");
    steps.at(20, 39).guardedRefused(5, "y", "h2", 7);
    steps.at(30, 39).guarded(7, 8, "z");
    isRight();
  }

  @Test
  void aFencedWriteIsAccepted() {
    steps.at(0, 9).takeLease(5, "h1");
    steps.at(10, 19).takeLease(6, "h2");
    steps.at(20, 29).guarded(5, 7, "x");
    isWrong("FENCING: took effect at 7 under a guard of version 5, when it was 6");
  }

  @Test
  void aFencedWriteWithoutAnswerTookEffect() {
    steps.at(0, 9).takeLease(5, "h1");
    steps.at(10, 15).guardedUnanswered(5, "x");
    steps.at(10, 19).takeLease(6, "h2");
    steps.at(20, 29).get(new io.lockstep.history.mixed.Step.ReadEntry("guarded", "g", "x", 8));
    isWrong("FENCING: took effect at 8 under a guard of version 5, when it was 6");
  }

  @Test
  void aFencedWriteTookEffectUnderALeaseThatWasTakenWithoutAnswer() {
    steps.at(0, 9).takeLease(5, "h1");
    steps.at(20, 29).guardedRefused(5, "y", "h1", 5);
    isWrong("refused although the guard held");
  }
}
