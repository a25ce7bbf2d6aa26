package io.lockstep.demo.screen;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StyledLineTest {
  private static final StyledLine LINE = StyledLine.of("ab").and(Style.RED, "cd").and("ef");

  @Test
  void stylesEndWhereTheirTextEnds() {
    assertThat(LINE.render(80, true)).isEqualTo("ab\033[31mcd\033[0mef");
    assertThat(LINE.render(80, false)).isEqualTo("abcdef");
  }

  @Test
  void aClippedLineStillEndsItsStyle() {
    assertThat(LINE.render(3, true)).isEqualTo("ab\033[31mc\033[0m");
    assertThat(LINE.render(2, true)).isEqualTo("ab");
    assertThat(LINE.render(0, true)).isEmpty();
  }

  @Test
  void columnsCountNotCharacters() {
    StyledLine wide = StyledLine.of("a\u4e2d\u4e2d").and("b");
    assertThat(wide.render(6, false)).isEqualTo("a\u4e2d\u4e2db");
    assertThat(wide.render(5, false)).isEqualTo("a\u4e2d\u4e2d");
    assertThat(wide.render(4, false)).as("half a character does not fit").isEqualTo("a\u4e2d");
    StyledLine combining = StyledLine.of("e\u0301x");
    assertThat(combining.render(1, false)).isEqualTo("e\u0301");
    assertThat(Columns.of("\ud83d\ude00")).isEqualTo(2);
    assertThat(Columns.of("\u25cf\u25cb")).isEqualTo(2);
  }

  @Test
  void noTextCanMoveTheCursor() {
    assertThat(StyledLine.of("a\033[2Jb\nc\td").render(80, true)).isEqualTo("a [2Jb c d");
  }
}
