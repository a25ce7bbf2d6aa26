package io.lockstep.bench.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.BenchMain;
import io.lockstep.bench.replay.ReplayCluster;
import io.lockstep.bench.replay.ReplayMode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small grid against three replica processes. */
class FiguresRunIT {
  private static final int RUNS = 400;

  @TempDir private Path directory;

  private static FigureGrid grid() {
    return new FigureGrid(
        PaperCurve.ALL.stream().filter(curve -> curve.figure().equals("Fig. 7")).toList(),
        List.of(new FigureGrid.Series(ReplayMode.MESSAGES, false, List.of(64), false)),
        1,
        1,
        RUNS,
        0,
        30,
        0);
  }

  @Test
  void everyCurveIsMeasuredOnceAndNotAgainWhenItGoesOn() throws Exception {
    Path file = directory.resolve("forks.jsonl");
    StringWriter printed = new StringWriter();
    AtomicInteger clusters = new AtomicInteger();
    AtomicInteger measured = new AtomicInteger();
    for (int time = 0; time < 2; time++) {
      FiguresRun run =
          new FiguresRun(
              grid(),
              ForkFile.open(file),
              directory,
              new PrintWriter(printed),
              durable -> {
                clusters.incrementAndGet();
                return ReplayCluster.start(directory, durable);
              });
      run.run(measured::incrementAndGet);
    }
    assertThat(clusters).as("nothing is left for a second one").hasValue(1);
    assertThat(measured).hasValue(2);
    assertThat(ForkFile.open(file).forks())
        .allSatisfy(fork -> assertThat(fork.result().runs()).isEqualTo(RUNS))
        .extracting(fork -> fork.point().variant())
        .containsExactly("init", "micro");
    assertThat(printed.toString()).contains("ls-ucast init messages in memory 64").contains("left");
  }

  @Test
  void wrongUsageIsRefused() throws Exception {
    String out = " --out " + directory.resolve("page");
    assertThat(run("figures")).isEqualTo(2);
    assertThat(run("figures --replicas a:1,b:2,c:3" + out)).isEqualTo(2);
    assertThat(run("figures --figure Fig.9" + out)).isEqualTo(2);
    assertThat(run("figures --draw" + out)).as("nothing to draw").isEqualTo(1);
    Path file = Files.writeString(directory.resolve("file"), "in the way");
    assertThat(run("figures --quick --out " + file)).isEqualTo(1);
    assertThat(file).hasContent("in the way");
  }

  private static int run(String line) {
    return BenchMain.run(line.split(" "));
  }
}
