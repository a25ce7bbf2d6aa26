package io.lockstep.deploy.status;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {
  private static final String HOSTILE = "s1\u001b]0;owned\u0007\r\nn9 ready \u009b2J\u202e\u2028";

  @Test
  void nothingThatATerminalObeysIsLeft() {
    assertThat(Printable.of(HOSTILE)).isEqualTo("s1?]0;owned???n9 ready ?2J??");
    assertThat(Printable.of("Zürich, 東京, port-1")).isEqualTo("Zürich, 東京, port-1");
  }

  @Test
  void lineEndsStayInTextOfSeveralLines() {
    assertThat(Printable.lines("one\n\ttwo\u001b[2J")).isEqualTo("one\n?two?[2J");
  }

  /** A switch's description is a cell of a table. */
  @Test
  void aCellMakesNoLineOfItsOwn() {
    assertThat(new TextTable("SWITCH", "PORT").row(HOSTILE, "1").lines()).hasSize(2);
    assertThat(new TextTable("SWITCH").row(HOSTILE).lines().get(1)).doesNotContain("\u001b", "\n");
  }
}
