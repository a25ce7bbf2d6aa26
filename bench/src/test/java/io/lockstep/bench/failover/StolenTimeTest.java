package io.lockstep.bench.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.lockstep.bench.runs.BenchException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StolenTimeTest {
  @TempDir Path directory;

  private void counts(String line) throws Exception {
    Files.writeString(directory.resolve("stat"), line + "\ncpu0 1 2 3 4 5 6 7 8 0 0\n");
  }

  @Test
  void itIsTheShareSinceTheLastLook() throws Exception {
    StolenTime stolen = new StolenTime(directory.resolve("stat"));
    counts("cpu  60 0 10 20 0 0 0 10 0 0");
    assertThat(stolen.percent()).isEqualTo(10, within(1e-9));
    counts("cpu  100 0 20 50 0 0 0 30 0 0");
    assertThat(stolen.percent()).isEqualTo(20, within(1e-9));
    assertThat(stolen.percent()).isZero();
  }

  @Test
  void whatIsNoCountIsRefused() throws Exception {
    counts("cpu  60 0 10");
    assertThatThrownBy(() -> new StolenTime(directory.resolve("stat")).percent())
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("stolen");
  }
}
