package io.lockstep.bench.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.figures.FigureRow;
import io.lockstep.bench.replay.ReplayMode;
import io.lockstep.bench.replay.ReplayPoint;
import io.lockstep.bench.replay.ReplayResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PointRowsTest {
  private final List<ForkFile.Fork> forks = new ArrayList<>();

  private void fork(
      String workload, String variant, ReplayMode mode, boolean durable, int flows, double rate) {
    forks.add(
        new ForkFile.Fork(
            new ReplayPoint(workload, variant, null, mode, durable, flows),
            new ReplayResult(1000, 0, 0, 1000 / rate, 1, 2)));
  }

  private List<FigureRow.Point> rows(String metric) {
    return PointRows.of(forks).stream()
        .map(FigureRow.Point.class::cast)
        .filter(row -> row.metric().equals(metric))
        .toList();
  }

  @Test
  void thePapersValueStandsBesideThePeakOfMessagesInMemory() {
    fork("ls-ucast", "init", ReplayMode.MESSAGES, false, 1, 1000);
    fork("ls-ucast", "init", ReplayMode.MESSAGES, false, 64, 24_000);
    fork("ls-ucast", "init", ReplayMode.MESSAGES, false, 256, 23_000);
    fork("ls-ucast", "init", ReplayMode.MESSAGES, true, 64, 9_000);
    fork("ls-ucast", "init", ReplayMode.LIVE, false, 64, 25_000);
    List<FigureRow.Point> rows = rows("flowsPerSecond");
    assertThat(rows).hasSize(5);
    assertThat(rows.stream().filter(row -> row.paper() != null)).hasSize(1);
    FigureRow.Point peak = rows.stream().filter(row -> row.paper() != null).findFirst().get();
    assertThat(peak.flows()).isEqualTo(64);
    assertThat(peak.figure()).isEqualTo("Fig. 7");
    assertThat(peak.ratio()).isCloseTo(2.0, org.assertj.core.api.Assertions.within(1e-9));
    assertThat(peak.reason()).contains("faster");
    assertThat(rows("p90Millis").stream().filter(row -> row.paper() != null)).hasSize(1);
    assertThat(rows("p50Millis").stream().filter(row -> row.paper() != null)).isEmpty();
  }

  @Test
  void forksOfOnePointAreOneValueWithAnInterval() {
    fork("dm-known", "micro", ReplayMode.MESSAGES, false, 1, 900);
    fork("dm-known", "micro", ReplayMode.MESSAGES, false, 1, 1100);
    FigureRow.Point row = rows("flowsPerSecond").get(0);
    assertThat(row.value()).isCloseTo(1000, org.assertj.core.api.Assertions.within(1e-6));
    assertThat(row.low()).isLessThan(row.value());
    assertThat(row.high()).isGreaterThan(row.value());
  }

  @Test
  void flowsThatGaveUpAreNotCountedAndNamed() {
    forks.add(
        new ForkFile.Fork(
            new ReplayPoint("lb-vip", "init", null, ReplayMode.LIVE, false, 64),
            new ReplayResult(1000, 250, 3000, 0.5, 1, 2)));
    FigureRow.Point row = rows("flowsPerSecond").get(0);
    assertThat(row.value()).isEqualTo(1500);
    assertThat(row.reason()).contains("3.00 refused writes").contains("25.0 %");
  }

  @Test
  void bestCaseWithoutAMessageSaysWhatItIs() {
    forks.add(
        new ForkFile.Fork(
            new ReplayPoint("ls-ucast", "cache", ReplayPoint.BEST, ReplayMode.MESSAGES, false, 64),
            new ReplayResult(1000, 0, 0, 0.001, 0.001, 0.002)));
    FigureRow.Point row = rows("flowsPerSecond").get(0);
    assertThat(row.figure()).isEqualTo("Table II");
    assertThat(row.paper()).isNull();
    assertThat(row.reason()).contains("infinity");
  }
}
