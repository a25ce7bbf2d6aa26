package io.lockstep.history.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the checker accepts and what it refuses, one rule in each test. */
class HistoryCheckerTest {
  private final TestHistory history = new TestHistory();

  private void accepted(TestHistory all) throws InterruptedException {
    assertThat(all.violations()).isEmpty();
  }

  private void refused(TestHistory all) throws InterruptedException {
    assertThat(all.violations()).isNotEmpty();
  }

  @Test
  void aKeyBeginsAbsent() throws Exception {
    accepted(history.at(0, 1).get(null, 0).at(2, 3).put("a", 5).at(4, 5).get("a", 5));
    refused(new TestHistory().at(0, 1).get("a", 5));
  }

  @Test
  void aReadAfterAWriteSeesIt() throws Exception {
    refused(history.at(0, 1).put("a", 5).at(2, 3).get(null, 0));
    refused(new TestHistory().at(0, 1).put("a", 5).at(2, 3).put("b", 6).at(4, 5).get("a", 5));
  }

  @Test
  void aReadBesideAWriteMaySeeItOrNot() throws Exception {
    accepted(history.at(0, 9).put("a", 5).at(1, 2).get(null, 0).at(3, 4).get("a", 5));
    refused(new TestHistory().at(0, 9).put("a", 5).at(1, 2).get("a", 5).at(3, 4).get(null, 0));
  }

  @Test
  void aReadTellsTheVersionOfWhatItRead() throws Exception {
    refused(history.at(0, 1).put("a", 5).at(2, 3).get("a", 6));
  }

  @Test
  void versionsGrow() throws Exception {
    refused(history.at(0, 1).put("a", 5).at(2, 3).put("b", 4));
    accepted(new TestHistory().at(0, 3).put("a", 5).at(1, 2).put("b", 4).at(4, 5).get("a", 5));
    refused(new TestHistory().at(0, 3).put("a", 5).at(1, 2).put("b", 4).at(4, 5).get("b", 4));
  }

  @Test
  void anAcknowledgedWriteIsNotLost() throws Exception {
    refused(
        history.at(0, 1).put("a", 5).at(2, 3).put("b", 7).at(4, 5).replaceFailed(7, "c", "a", 5));
  }

  @Test
  void preconditionsAreJudgedOnTheEntryAsItIs() throws Exception {
    accepted(
        history
            .at(0, 1)
            .putIfAbsent("a", 5)
            .at(2, 3)
            .putIfAbsentFailed("b", "a", 5)
            .at(4, 5)
            .replace(5, "c", 8)
            .at(6, 7)
            .replaceFailed(5, "d", "c", 8)
            .at(8, 9)
            .removeFailed(5L, "c", 8)
            .at(10, 11)
            .remove(8L, 12)
            .at(12, 13)
            .removeFailed(null, null, 0)
            .at(14, 15)
            .replaceFailed(12, "e", null, 0)
            .at(16, 17)
            .putIfAbsent("f", 13));
    refused(new TestHistory().at(0, 1).put("a", 5).at(2, 3).putIfAbsent("b", 6));
    refused(new TestHistory().at(0, 1).put("a", 5).at(2, 3).replace(4, "b", 6));
    refused(new TestHistory().at(0, 1).put("a", 5).at(2, 3).replaceFailed(5, "b", "a", 5));
    refused(new TestHistory().at(0, 1).remove(null, 6));
    refused(new TestHistory().at(0, 1).put("a", 5).at(2, 3).removeFailed(null, null, 0));
  }

  @Test
  void twoReplacesOfOneVersionCannotBothSucceed() throws Exception {
    refused(history.at(0, 1).put("a", 5).at(2, 9).replace(5, "b", 6).at(2, 9).replace(5, "c", 7));
  }

  @Test
  void anUnansweredWriteMayHappenLateOnceOrNever() throws Exception {
    accepted(history.at(0, 1).put("a", 5).at(2, 3).putUnknown("b").at(9, 10).get("a", 5));
    accepted(
        new TestHistory()
            .at(0, 1)
            .putUnknown("b")
            .at(2, 3)
            .put("a", 5)
            .at(4, 5)
            .get("a", 5)
            .at(6, 7)
            .get("b", 9)
            .at(8, 9)
            .get("b", 9));
    refused(
        new TestHistory()
            .at(0, 1)
            .putUnknown("b")
            .at(2, 3)
            .get("b", 4)
            .at(4, 5)
            .put("a", 5)
            .at(6, 7)
            .get("b", 9));
    refused(new TestHistory().at(2, 3).putUnknown("b").at(0, 1).get("b", 4));
  }

  @Test
  void anUnansweredWriteNobodyReadCanExplainOthers() throws Exception {
    accepted(history.at(0, 1).putUnknown("a").at(2, 3).remove(null, 6).at(4, 5).get(null, 0));
    accepted(
        new TestHistory().at(0, 1).put("a", 5).at(2, 3).removeUnknown(5L).at(4, 5).get(null, 0));
    accepted(
        new TestHistory()
            .at(0, 1)
            .put("a", 5)
            .at(2, 3)
            .removeUnknown(null)
            .at(4, 5)
            .putIfAbsent("b", 7));
    refused(
        new TestHistory()
            .at(0, 1)
            .put("a", 5)
            .at(2, 3)
            .removeUnknown(null)
            .at(4, 5)
            .putIfAbsent("b", 6));
    refused(
        new TestHistory().at(0, 1).put("a", 5).at(2, 3).removeUnknown(4L).at(4, 5).get(null, 0));
    accepted(
        new TestHistory()
            .at(0, 1)
            .putUnknown("a")
            .at(2, 3)
            .replace(4, "b", 6)
            .at(4, 5)
            .get("b", 6));
  }

  @Test
  void whatSurelyFailedIsNeverSeen() throws Exception {
    refused(history.at(0, 1).error("a").at(2, 3).get("a", 5));
    refused(
        new TestHistory()
            .at(0, 1)
            .put("x", 3)
            .at(2, 3)
            .putIfAbsentFailed("a", "x", 3)
            .at(4, 5)
            .get("a", 5));
  }

  @Test
  void incrementsAddUp() throws Exception {
    accepted(
        history.at(0, 9).increment(2, 5, 7).at(0, 9).increment(3, 3, 6).at(10, 11).get("5", 7));
    refused(new TestHistory().at(0, 1).increment(2, 2, 5).at(2, 3).increment(2, 6, 6));
    refused(new TestHistory().at(0, 1).increment(2, 2, 5).at(2, 3).increment(2, 2, 6));
    accepted(
        new TestHistory()
            .at(0, 1)
            .increment(2, 2, 5)
            .at(2, 3)
            .remove(null, 6)
            .at(4, 5)
            .increment(7, 7, 7));
  }

  @Test
  void unansweredIncrementsCountAtMostOnce() throws Exception {
    accepted(
        history
            .at(0, 1)
            .incrementUnknown(4)
            .at(0, 1)
            .incrementUnknown(8)
            .at(2, 3)
            .increment(1, 13, 9));
    accepted(
        new TestHistory()
            .at(0, 1)
            .incrementUnknown(4)
            .at(2, 3)
            .increment(1, 1, 9)
            .at(4, 5)
            .get("5", 12));
    refused(new TestHistory().at(0, 1).incrementUnknown(4).at(2, 3).increment(1, 9, 9));
    refused(
        new TestHistory()
            .at(0, 1)
            .incrementUnknown(4)
            .at(0, 1)
            .incrementUnknown(8)
            .at(2, 3)
            .increment(1, 13, 2));
  }

  @Test
  void aVersionIsGivenOnceAndToOneKey() throws Exception {
    refused(history.on("j").at(0, 9).put("a", 5).on("k").at(0, 9).put("b", 5));
    refused(
        new TestHistory()
            .on("j")
            .at(0, 1)
            .put("a", 5)
            .on("k")
            .at(0, 1)
            .putUnknown("b")
            .at(2, 3)
            .get("b", 5));
  }

  @Test
  void versionsOfSeveralKeysFollowTime() throws Exception {
    refused(history.on("j").at(0, 1).put("a", 5).on("k").at(2, 3).put("b", 4));
    accepted(new TestHistory().on("j").at(0, 3).put("a", 5).on("k").at(2, 3).put("b", 4));
    refused(
        new TestHistory()
            .on("j")
            .at(0, 9)
            .put("a", 5)
            .at(1, 2)
            .get("a", 5)
            .on("k")
            .at(3, 4)
            .put("b", 4));
  }

  @Test
  void aViolationNamesTheAnswerThatCannotBe() throws Exception {
    history.at(0, 1).put("begin", 5);
    for (long i = 1; i < 100; i++) {
      history.at(10 * i, 10 * i + 1).put("v" + i, 5 + i);
    }
    history.at(503, 504).get("v49", 54);
    assertThat(history.violations())
        .singleElement()
        .satisfies(
            violation -> {
              assertThat(violation.key()).isEqualTo("k");
              assertThat(violation.summary()).contains("503", "v49");
              assertThat(violation.window()).contains("v50").doesNotContain("begin", "v51");
            });
  }
}
