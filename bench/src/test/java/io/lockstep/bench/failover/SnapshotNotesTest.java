package io.lockstep.bench.failover;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotNotesTest {
  @TempDir Path directory;

  @Test
  void everySnapshotIsCountedOnceAndTheLongestKept() throws Exception {
    Path log = directory.resolve("s1.log");
    SnapshotNotes notes = new SnapshotNotes(log);
    notes.look();
    assertThat(notes.count()).isZero();
    append(
        log, "03:39:08.787 INFO  SnapshotMaker      snapshot at instance 39006: 20829 bytes in ");
    notes.look();
    assertThat(notes.count()).isZero();
    append(log, "99 ms\n03:39:09.000 INFO  PeerWatch          replica s1 leads\n");
    append(
        log,
        "03:39:20.556 INFO  SnapshotMaker      snapshot at instance 42691: 7 bytes in 76 ms\n");
    notes.look();
    notes.look();
    assertThat(notes.count()).isEqualTo(2);
    assertThat(notes.longestMillis()).isEqualTo(99);
  }

  /** A replica that makes many writes ten lines a minute, which say what they leave out. */
  @Test
  void snapshotsWithoutALineCountToo() throws Exception {
    Path log = directory.resolve("s1.log");
    SnapshotNotes notes = new SnapshotNotes(log);
    append(
        log, "snapshot at instance 10: 7 bytes in 6 ms (further lines like this are left out)\n");
    append(
        log,
        "snapshot at instance 100: 7 bytes in 2 ms (90 lines like this were left out)"
            + "; of those left out the longest took 99 ms\n");
    notes.look();
    assertThat(notes.count()).isEqualTo(92);
    assertThat(notes.longestMillis()).isEqualTo(99);
  }

  private static void append(Path file, String text) throws Exception {
    Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
