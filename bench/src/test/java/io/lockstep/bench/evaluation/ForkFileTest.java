package io.lockstep.bench.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.bench.replay.ReplayMode;
import io.lockstep.bench.replay.ReplayPoint;
import io.lockstep.bench.replay.ReplayResult;
import io.lockstep.bench.runs.BenchException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForkFileTest {
  private static final ReplayPoint POINT =
      new ReplayPoint("lb-vip", "cache", ReplayPoint.WORST, ReplayMode.LIVE, true, 64);
  private static final ReplayResult RESULT = new ReplayResult(50_000, 1, 2, 3.5, 0.25, 1.5);

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void name() {
    file = directory.resolve("forks.jsonl");
  }

  private void write(int forks) throws Exception {
    ForkFile written = ForkFile.open(file);
    for (int i = 0; i < forks; i++) {
      written.add(new ForkFile.Fork(POINT, RESULT));
    }
  }

  @Test
  void whatWasWrittenIsRead() throws Exception {
    write(2);
    assertThat(ForkFile.open(file).of(POINT)).containsExactly(RESULT, RESULT);
  }

  @Test
  void cutLineIsMeasuredAgainWhereverItIsCut() throws Exception {
    write(2);
    String text = Files.readString(file);
    for (int length = text.indexOf('\n') + 1; length < text.length(); length++) {
      Files.writeString(file, text.substring(0, length));
      ForkFile opened = ForkFile.open(file);
      assertThat(opened.of(POINT)).hasSize(1);
      opened.add(new ForkFile.Fork(POINT, RESULT));
      assertThat(ForkFile.open(file).of(POINT)).hasSize(2);
    }
  }

  @Test
  void foreignLineIsNamed() throws Exception {
    write(1);
    Files.writeString(file, "{\"some\": 1}\n", StandardOpenOption.APPEND);
    assertThatThrownBy(() -> ForkFile.open(file))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("line 2")
        .hasMessageContaining("another directory");
  }

  @Test
  void whatCannotBeWrittenIsNamedWithTheRemedy() throws Exception {
    ForkFile full = ForkFile.open(directory.resolve("gone").resolve("forks.jsonl"));
    assertThatThrownBy(() -> full.add(new ForkFile.Fork(POINT, RESULT)))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("--resume");
    assertThat(full.forks()).isEmpty();
  }
}
