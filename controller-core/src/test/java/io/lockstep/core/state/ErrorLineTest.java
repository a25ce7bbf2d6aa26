package io.lockstep.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ErrorLineTest {

  @Test
  void anErrorIsOnePrintableLine() {
    assertThat(ErrorLine.of("a\n\tb\u001b[2Jc \ud800 d \u00fc")).isEqualTo("a b [2Jc d \u00fc");
    assertThat(ErrorLine.of(new IllegalStateException("no\nluck")))
        .isEqualTo("java.lang.IllegalStateException: no luck");
  }

  @Test
  void theCallerSetsItsLength() {
    assertThat(ErrorLine.of("x".repeat(300))).isEqualTo("x".repeat(200) + "...");
    assertThat(ErrorLine.of("x".repeat(300), 10)).isEqualTo("x".repeat(10) + "...");
    assertThat(ErrorLine.of("x".repeat(300), 300)).isEqualTo("x".repeat(300));
    assertThat(ErrorLine.of("\ud83d\ude00".repeat(3), 2))
        .as("not within a character")
        .isEqualTo("\ud83d\ude00".repeat(2) + "...");
  }

  @Test
  void anErrorThatCannotSayWhatItIsIsNamedByItsClass() {
    assertThat(ErrorLine.of(new Unspeakable())).isEqualTo(Unspeakable.class.getName());
  }

  private static final class Unspeakable extends Error {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no words");
    }
  }
}
