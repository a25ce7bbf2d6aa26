package io.lockstep.bench.figures;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.compare.PaperTables;
import io.lockstep.bench.figures.FigureRow.OperationSize;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rows of tables I and II, from the committed traces. */
class OperationRowsTest {
  /** Surefire's working directory is the module's. */
  private static final Path ROOT = Path.of("..");

  private static String place(OperationSize row) {
    return row.figure() + " " + row.workload() + " " + row.variant() + " " + row.step();
  }

  private static int bytes(@Nullable Integer known) {
    return Objects.requireNonNull(known);
  }

  @Test
  void everyOperationOfThePapersTablesHasARowWithBothSizes() throws Exception {
    List<String> expected = new ArrayList<>();
    for (String workload : PaperTables.workloads()) {
      for (String variant : List.of("init", "cref", "vers", "cols", "micro")) {
        int steps = PaperTables.operations(workload, variant).size();
        for (int step = 1; step <= steps; step++) {
          expected.add("Table I " + workload + " " + variant + " " + step);
        }
      }
    }
    for (String workload : List.of("ls-ucast", "lb-vip", "dm-known")) {
      expected.add("Table II " + workload + " cache 1");
      expected.add("Table II " + workload + " cache 2");
    }
    List<OperationSize> paper =
        OperationRows.read(ROOT).stream().filter(row -> row.paperRequestBytes() != null).toList();
    assertThat(paper)
        .extracting(OperationRowsTest::place)
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(paper)
        .allSatisfy(
            row -> {
              assertThat(row.requestBytes()).as(place(row)).isPositive();
              assertThat(row.replyBytes()).as(place(row)).isPositive();
              assertThat(row.wireRequestBytes()).isEqualTo(bytes(row.requestBytes()) + 32);
              assertThat(row.wireReplyBytes()).isEqualTo(bytes(row.replyBytes()) + 59);
              assertThat(row.operation()).isNotBlank();
            })
        .filteredOn(
            row ->
                !Objects.equals(row.paperRequestBytes(), row.requestBytes())
                    || !Objects.equals(row.paperReplyBytes(), row.replyBytes()))
        .allSatisfy(row -> assertThat(row.reason()).as(place(row)).isNotBlank());
  }

  @Test
  void ownHasRowsWhereItAsksTheStore() throws Exception {
    List<OperationSize> own =
        OperationRows.read(ROOT).stream().filter(row -> row.variant().equals("own")).toList();
    assertThat(own)
        .extracting(row -> row.workload() + " " + row.step() + " " + row.type())
        .containsExactly("ls-bcast 1 W", "ls-ucast 1 W", "lb-vip 1 W", "dm-unknown 1 W");
    assertThat(own)
        .allSatisfy(
            row -> {
              assertThat(row.requestBytes()).isPositive();
              assertThat(row.paperRequestBytes()).isNull();
              assertThat(row.paperReplyBytes()).isNull();
            });
  }
}
