package io.lockstep.core.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.packet.ApplicationFailures.Failures;
import org.junit.jupiter.api.Test;

class ApplicationFailuresTest {
  private long now = 5;
  private final ApplicationFailures failures = new ApplicationFailures(() -> now);

  @Test
  void nothingIsListedBeforeTheFirstFailure() {
    assertThat(failures.all()).isEmpty();
  }

  @Test
  void eachFailureCountsAndTheLastErrorStays() {
    failures.count("two", "failed on a packet", new IllegalStateException("first"));
    failures.count("one", "decides nothing", null);
    now = 9;
    failures.count("two", "failed on a packet", new IllegalStateException("last"));
    assertThat(failures.all())
        .containsExactly(
            new Failures("one", 1, "decides nothing", 5),
            new Failures("two", 2, "failed on a packet: java.lang.IllegalStateException: last", 9));
  }

  @Test
  void anErrorIsOnePrintableLine() {
    failures.count("one", "a\n\tb\u001b[2Jc \ud800 d \u00fc", null);
    assertThat(failures.all().get(0).lastError()).isEqualTo("a b [2Jc d \u00fc");
  }

  @Test
  void aLongErrorIsCutBetweenCharacters() {
    failures.count("one", "\ud83d\ude00".repeat(201), null);
    assertThat(failures.all().get(0).lastError()).isEqualTo("\ud83d\ude00".repeat(200) + "...");
    failures.count("one", "x".repeat(200), null);
    assertThat(failures.all().get(0).lastError()).isEqualTo("x".repeat(200));
  }

  @Test
  void anErrorThatCannotSayWhatItIsIsNamedByItsClass() {
    failures.count("one", "failed", new Unspeakable());
    assertThat(failures.all().get(0).lastError())
        .isEqualTo("failed: " + Unspeakable.class.getName());
  }

  private static final class Unspeakable extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message");
    }
  }

  @Test
  void furtherNamesShareOneEntry() {
    for (int i = 0; i < ApplicationFailures.MAX_NAMES + 3; i++) {
      failures.count("app-" + i, "failed", null);
    }
    failures.count("app-0", "failed again", null);
    assertThat(failures.all())
        .hasSize(ApplicationFailures.MAX_NAMES + 1)
        .contains(new Failures(ApplicationFailures.OTHERS, 3, "failed", 5))
        .contains(new Failures("app-0", 2, "failed again", 5));
  }
}
