package io.lockstep.store.log.disk;

import static io.lockstep.store.log.disk.LogFixture.append;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.History;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Files that are whole and yet do not go together: what checksums cannot tell. One segment, so that
 * no other file makes up for anything.
 */
class RecoveryTest {
  private static final String SEGMENT = FileNames.segment(0, 0);
  private static final List<Decision> HISTORY = History.after(Decision.NONE, 10, 60, 5);

  private static DiskLogOptions oneSegment() {
    return new DiskLogOptions(1 << 20, 8192, 1 << 20, 1 << 20, 1 << 20, 0, new Random(2)::nextLong);
  }

  private static DiskLog open(SimulatedDisk disk) throws IOException {
    return new LogFixture.Steps().open(disk.open(), oneSegment());
  }

  /** A log with these decisions and a snapshot at instance 4. */
  private static SimulatedDisk disk(List<Decision> decisions) throws IOException {
    SimulatedDisk disk = new SimulatedDisk(new Random(1));
    try (DiskLog log = open(disk)) {
      append(log, decisions);
      LogFixture.snapshot(log.newSnapshot(decisions.get(4)), decisions.get(4));
    }
    return disk;
  }

  /** What is written from a record on. */
  private interface Forged {
    void put(ByteBuffer out, long salt, long at);
  }

  /** Puts other records, with the right checksums, in place of one decision and what follows. */
  private static SimulatedDisk forged(long instance, Forged records) throws IOException {
    SimulatedDisk disk = disk(HISTORY);
    byte[] bytes = disk.bytes(SEGMENT);
    try (Segment segment = Segment.open(disk.open(), SEGMENT)) {
      RecordReader reader = segment.readerOfAll();
      long at;
      RecordReader.ValidRecord found;
      do {
        at = reader.position();
        found = reader.next();
      } while (found == null || found.decision() == null || found.decision().instance() < instance);
      ByteBuffer out = ByteBuffer.allocate(4096);
      records.put(out, segment.header().salt(), at);
      byte[] changed = new byte[(int) at + out.position()];
      System.arraycopy(bytes, 0, changed, 0, (int) at);
      System.arraycopy(out.array(), 0, changed, (int) at, out.position());
      disk.replace(SEGMENT, changed);
    }
    return disk;
  }

  private static void expectRefusal(SimulatedDisk disk, String message) {
    assertThatThrownBy(() -> open(disk).close())
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(message);
  }

  @Test
  void forgedRecordsAreReadWhereTheyContinueTheHistory() throws IOException {
    Decision other = History.next(HISTORY.get(7), 3, new byte[] {1, 2, 3});
    SimulatedDisk disk = forged(8, (out, salt, at) -> Records.put(out, other, 8, salt, at));
    try (DiskLog log = open(disk)) {
      assertThat(History.text(log.last())).isEqualTo(History.text(other));
    }
  }

  @Test
  void recordThatWasDurableAndIsNotThereIsMissed() throws IOException {
    expectRefusal(
        forged(8, (out, salt, at) -> Records.putMark(out, 9, salt, at)), "instance 8 is missing");
  }

  @Test
  void decisionOfAnotherHistoryIsRefused() throws IOException {
    Decision other = History.next(History.after(Decision.NONE, 8, 60, 6).get(7), 3, new byte[3]);
    expectRefusal(
        forged(8, (out, salt, at) -> Records.put(out, other, 8, salt, at)),
        "instance 8 does not continue the history before it");
  }

  @Test
  void decisionOfALaterInstanceIsRefused() throws IOException {
    expectRefusal(
        forged(8, (out, salt, at) -> Records.put(out, HISTORY.get(9), 8, salt, at)),
        "instance 9 does not continue the history before it");
  }

  @Test
  void snapshotOfAnotherHistoryIsRefused() throws IOException {
    SimulatedDisk disk = disk(HISTORY);
    String snapshot = FileNames.snapshot(0, 4);
    disk.replace(snapshot, disk(History.after(Decision.NONE, 10, 60, 6)).bytes(snapshot));
    expectRefusal(disk, "it is not the history of the snapshot at 4");
  }

  /**
   * A process was killed before it had synced a decision of several pages. The next one reads it,
   * and the power fails while it says that all it has read is durable: that may reach the disk
   * before the decision does.
   */
  @Test
  void whatWasReadIsSyncedBeforeItIsSaidToBeDurable() throws IOException {
    for (int seed = 0; seed < 200; seed++) {
      SimulatedDisk disk = new SimulatedDisk(new Random(seed));
      LogFixture.Steps steps = new LogFixture.Steps();
      DiskLog killed = steps.open(disk.open(), oneSegment());
      append(killed, HISTORY.subList(0, 1));
      steps.run();
      failAfterNextWrite(disk);
      append(killed, List.of(History.next(HISTORY.get(0), 1, new byte[3000])));
      steps.run();
      assertThat(steps.failures).hasSize(1);
      disk.kill();
      failAfterNextWrite(disk);
      assertThatThrownBy(() -> open(disk)).isInstanceOf(IOException.class).hasMessage("power");
      disk.crash();
      try (DiskLog log = open(disk)) {
        assertThat(log.last().instance()).as("seed %s", seed).isBetween(0L, 1L);
      }
    }
  }

  /** The power fails once the segment was written to again, before that is synced. */
  private static void failAfterNextWrite(SimulatedDisk disk) {
    boolean[] written = {false};
    disk.setFaults(
        (operation, file) -> {
          if (file.startsWith(SEGMENT)) {
            if (written[0] && operation.equals("sync")) {
              throw new IOException("power");
            }
            written[0] |= operation.equals("write");
          }
        });
  }
}
