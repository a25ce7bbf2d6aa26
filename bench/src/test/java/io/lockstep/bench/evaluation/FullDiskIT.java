package io.lockstep.bench.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockstep.bench.figures.FigureRow;
import io.lockstep.bench.figures.FiguresFile;
import io.lockstep.bench.replay.ReplayMode;
import io.lockstep.bench.replay.ReplayPoint;
import io.lockstep.bench.replay.ReplayResult;
import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run of the figures does on a real file system that becomes full. */
class FullDiskIT {
  private static final ReplayPoint POINT =
      new ReplayPoint("ls-ucast", "micro", null, ReplayMode.MESSAGES, false, 64);
  private static final ReplayResult RESULT = new ReplayResult(50_000, 1, 2, 3.5, 0.25, 1.5);

  /** More than the file system takes. */
  private static final int MANY = 10_000;

  @TempDir private Path directory;
  private Path disk;

  @BeforeEach
  void mount() throws Exception {
    disk = Files.createDirectories(directory.resolve("disk"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=16k", "full-disk", disk.toString()),
        "mounting a small file system needs root");
  }

  @AfterEach
  void unmount() throws Exception {
    if (Files.getFileStore(disk).name().equals("full-disk")) {
      assertThat(run("umount", disk.toString())).isTrue();
    }
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
  }

  @Test
  void finishedPointsAreKeptAndTheRunGoesOnWhereThereIsRoom() throws Exception {
    Path file = disk.resolve("forks.jsonl");
    ForkFile forks = ForkFile.open(file);
    Throwable failure =
        catchThrowable(
            () -> {
              for (int i = 0; i < MANY; i++) {
                forks.add(new ForkFile.Fork(POINT, RESULT));
              }
            });
    assertThat(failure)
        .isInstanceOf(BenchException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("No space left on device")
        .hasMessageContaining("make room, and go on with --resume");
    int measured = forks.forks().size();
    assertThat(measured).isBetween(1, MANY - 1);

    assertThat(run("mount", "-o", "remount,size=1m", disk.toString())).isTrue();
    ForkFile again = ForkFile.open(file);
    assertThat(again.of(POINT)).hasSize(measured);
    again.add(new ForkFile.Fork(POINT, RESULT));
    assertThat(ForkFile.open(file).of(POINT)).hasSize(measured + 1);
  }

  @Test
  void figuresOfAnEarlierRunStay() throws Exception {
    Path file = disk.resolve("figures.json");
    List<FigureRow> few = List.of(row());
    FiguresFile.write(file, few);
    assertThatThrownBy(() -> FiguresFile.write(file, Collections.nCopies(MANY, row())))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("No space left on device")
        .hasMessageContaining("the file is as it was before");
    assertThat(FiguresFile.read(file)).isEqualTo(few);
    // The room of the unfinished file is free again.
    Files.writeString(disk.resolve("other"), "x".repeat(8 << 10), StandardOpenOption.CREATE_NEW);
  }

  private static FigureRow row() {
    return new FigureRow.Point(
        "Fig. 7",
        "ls-ucast",
        "micro",
        "messages",
        false,
        null,
        64,
        "flowsPerSecond",
        309_000.0,
        null,
        null,
        "flows/s",
        22_000.0,
        14.0,
        "");
  }
}
