package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.logging.LogLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SnapshotLogLinesTest {
  private long nanos;
  private final SnapshotLogLines lines = new SnapshotLogLines(() -> nanos);

  @Test
  void snapshotsWithoutPauseHaveTenLinesAMinute() {
    List<String> written = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      nanos += TimeUnit.MILLISECONDS.toNanos(100);
      String line = lines.made(i, 7, i == 50 ? 99 : 1);
      if (line != null) {
        written.add(line);
      }
    }
    assertThat(written).hasSize(LogLimit.LINES);
    assertThat(written).first().isEqualTo("snapshot at instance 0: 7 bytes in 1 ms");
    nanos += TimeUnit.MINUTES.toNanos(1);
    assertThat(lines.made(100, 7, 2))
        .isEqualTo(
            "snapshot at instance 100: 7 bytes in 2 ms (90 lines like this were left out)"
                + "; of those left out the longest took 99 ms");
    assertThat(lines.made(101, 7, 2)).isEqualTo("snapshot at instance 101: 7 bytes in 2 ms");
  }

  @Test
  void snapshotsOfNoUseHaveTenLinesAMinute() {
    IllegalStateException why = new IllegalStateException("a cut was faster");
    int written = 0;
    for (int i = 0; i < 100; i++) {
      written += lines.overtaken(i, why) == null ? 0 : 1;
    }
    assertThat(written).isEqualTo(LogLimit.LINES);
    assertThat(lines.made(100, 7, 2)).isNotNull();
  }
}
