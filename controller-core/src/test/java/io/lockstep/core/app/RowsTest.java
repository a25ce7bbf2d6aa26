package io.lockstep.core.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RowsTest {

  @Test
  void rowsAreTextInTheOrderOfTheirColumns() {
    Rows rows = Rows.of("host", "tries").add("a", 3).add("b", 4L).build();
    assertThat(rows.columns()).containsExactly("host", "tries");
    assertThat(rows.rows()).containsExactly(List.of("a", "3"), List.of("b", "4"));
    assertThat(rows.isCut()).isFalse();
  }

  @Test
  void aRowHasACellForEachColumn() {
    Rows.Builder rows = Rows.of("host", "tries");
    assertThatThrownBy(() -> rows.add("a")).hasMessage("1 cells, not 2");
    assertThatThrownBy(() -> rows.add("a", "b", "c")).hasMessage("3 cells, not 2");
    assertThat(rows.build().rows()).isEmpty();
  }

  @Test
  void columnsHaveNamesThatBecomeKeysAndHeads() {
    for (String wrong : List.of("", "Host", "a b", "1", "x".repeat(33))) {
      assertThatThrownBy(() -> Rows.of(wrong)).hasMessageContaining("'" + wrong + "'");
    }
    assertThatThrownBy(() -> Rows.of("a", "a")).hasMessageContaining("twice");
    assertThatThrownBy(() -> Rows.of(List.of())).hasMessageContaining("1 to 32 columns");
    assertThatThrownBy(() -> Rows.of(IntStream.range(0, 33).mapToObj(i -> "c" + i).toList()))
        .hasMessage("1 to 32 columns, not 33");
  }

  @Test
  void rowsBeyondTheBoundAreLeftOut() {
    Rows.Builder rows = Rows.of("number");
    for (int i = 0; i < Rows.MAX_ROWS; i++) {
      rows.add(i);
    }
    assertThat(rows.isFull()).isFalse();
    assertThat(rows.add("more").add("and more").isFull()).isTrue();
    assertThat(rows.build().rows()).hasSize(Rows.MAX_ROWS).last().isEqualTo(List.of("9999"));
    assertThat(rows.build().isCut()).isTrue();
  }

  @Test
  void bytesBeyondTheBoundAreLeftOut() {
    Rows.Builder rows = Rows.of("text");
    String cell = "\u00fc".repeat(Rows.MAX_CELL_CHARS); // two bytes each
    while (!rows.isFull()) {
      rows.add(cell);
    }
    rows.add("");
    assertThat(rows.build().rows()).hasSize(Rows.MAX_BYTES / (2 * Rows.MAX_CELL_CHARS + 3));
  }

  @Test
  void aCellIsOnePrintableLineOfBoundedLength() {
    Rows rows =
        Rows.of("a", "b", "c")
            .add("x\u001b[2J\n", "\ud800", "y".repeat(Rows.MAX_CELL_CHARS + 1))
            .add(new int[0].length, true, "z".repeat(Rows.MAX_CELL_CHARS))
            .build();
    assertThat(rows.rows().get(0))
        .containsExactly("x [2J ", " ", "y".repeat(Rows.MAX_CELL_CHARS) + "...");
    assertThat(rows.rows().get(1)).containsExactly("0", "true", "z".repeat(Rows.MAX_CELL_CHARS));
  }
}
