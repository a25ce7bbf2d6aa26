package io.lockstep.store.log.disk;

import static io.lockstep.store.log.disk.LogFixture.append;
import static io.lockstep.store.log.disk.LogFixture.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.History;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the log does with decisions between the append and the sync, step by step. */
class GroupWriterTest {
  private static final int PENDING_BYTES = 4096;

  private final SimulatedDisk disk = new SimulatedDisk(new Random(1));
  private final LogFixture.Steps steps = new LogFixture.Steps();

  private DiskLog open() throws IOException {
    return steps.open(
        disk.open(),
        new DiskLogOptions(1 << 20, 1024, 1024, PENDING_BYTES, 512, 0, new Random(2)::nextLong));
  }

  private static Decision next(Decision before, int bytes) {
    return History.next(before, 1, new byte[bytes]);
  }

  private static int bytesOf(int valueBytes) {
    return Records.bytesOf(next(Decision.NONE, valueBytes));
  }

  private static long pending(DiskLog log) {
    return (log.last().instance() - log.durable().instance()) * bytesOf(100);
  }

  private void failSyncs() {
    disk.setFaults(
        (operation, file) -> {
          if (operation.equals("sync")) {
            throw new IOException("I/O error");
          }
        });
  }

  // ---------------------------------------------------------------- back-pressure

  @Test
  void appendWaitsUntilThereIsRoom() throws IOException {
    try (DiskLog log = open()) {
      for (int i = 0; i < 100; i++) {
        log.append(next(log.last(), 100));
        assertThat(pending(log)).isLessThanOrEqualTo(PENDING_BYTES);
      }
      assertThat(log.durable().instance()).as("nobody else ran a step").isGreaterThan(0);
    }
  }

  @Test
  void logKeepsUpWhileHalfOfTheRoomIsFree() throws IOException {
    try (DiskLog log = open()) {
      int full = 0;
      while (pending(log) + bytesOf(100) <= PENDING_BYTES) {
        log.append(next(log.last(), 100));
        boolean half = pending(log) <= PENDING_BYTES / 2;
        assertThat(log.keepsUp()).as("%s bytes wait", pending(log)).isEqualTo(half);
        full += half ? 0 : 1;
      }
      assertThat(full).isGreaterThan(5);
      steps.run();
      assertThat(log.keepsUp()).isTrue();
    }
  }

  @Test
  void appendThatWaitsForRoomInVainThrows() throws IOException {
    DiskLog log = open();
    failSyncs();
    assertThatThrownBy(() -> log.append(next(Decision.NONE, PENDING_BYTES + 1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("I/O error");
    log.close();
  }

  @Test
  void nothingIsAppendedAfterAFailure() throws IOException {
    DiskLog log = open();
    append(log, History.after(Decision.NONE, 2, 100, 1));
    failSyncs();
    steps.run();
    assertThat(steps.failures).hasSize(1);
    assertThatThrownBy(() -> log.append(next(log.last(), 10))).isInstanceOf(IOException.class);
    assertThat(log.last().instance()).as("the end stays").isEqualTo(1);
    log.close();
  }

  // ---------------------------------------------------------------- marks

  /** Without a mark the damaged record would be taken for one that was never synced. */
  @Test
  void damageAtTheEndOfALogAtRestIsNoTornEnd() throws IOException {
    DiskLog log = open();
    append(log, History.after(Decision.NONE, 3, 100, 1));
    steps.run();
    disk.kill();
    String segment = FileNames.segment(0, 0);
    byte[] bytes = disk.bytes(segment);
    bytes[(int) beginOfLast(segment) + Records.HEADER_BYTES + 20] ^= 1;
    disk.replace(segment, bytes);
    steps.forget();
    assertThatThrownBy(this::open)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("instance 2 should be here")
        .hasMessageContaining("it was durable");
    assertThat(log.last().instance()).isEqualTo(2);
  }

  private long beginOfLast(String name) throws IOException {
    try (Segment segment = Segment.open(disk.copy().open(), name)) {
      RecordReader reader = segment.readerOfAll();
      long last = -1;
      RecordReader.ValidRecord found;
      while ((found = reader.next()) != null) {
        last = found.decision() == null ? last : found.offset();
      }
      return last;
    }
  }

  /** A record over another one may be torn, and then both are lost. */
  @Test
  void whatWasWrittenIsNeverWrittenOver() throws IOException {
    String segment = FileNames.segment(0, 0);
    byte[] before = new byte[0];
    for (int start = 0; start < 4; start++) {
      DiskLog log = open();
      append(log, History.after(log.last(), 2, 100, 1));
      steps.run();
      log.close();
      byte[] now = disk.bytes(segment);
      assertThat(Arrays.copyOf(now, before.length)).as("start %s", start).isEqualTo(before);
      before = Arrays.copyOf(now, lengthWithoutZeros(now));
    }
  }

  private static int lengthWithoutZeros(byte[] bytes) {
    int length = bytes.length;
    while (length > 0 && bytes[length - 1] == 0) {
      length--;
    }
    return length;
  }

  // ---------------------------------------------------------------- another history

  /** The peer's snapshot is at the last instance of the log that it replaces. */
  @Test
  void decisionsOfTheReplacedHistoryAreNoLongerGivenToPeers() throws IOException {
    Decision foreign = History.after(Decision.NONE, 60, 10, 77).get(59);
    try (DiskLog log = open()) {
      append(log, History.after(Decision.NONE, 60, 100, 5));
      assertThat(log.after(57, 1000)).as("in memory").hasSize(2);
      snapshot(log.startOver(foreign), foreign);
      Decision next = History.next(foreign, 1, new byte[10]);
      append(log, List.of(next));
      assertThat(log.after(57, 1000)).isNull();
      assertThat(log.chainAfter(58)).isNull();
      assertThat(log.chainAfter(59)).isEqualTo(foreign.chain());
      assertThat(History.texts(Objects.requireNonNull(log.after(59, 1000))))
          .isEqualTo(History.texts(List.of(next)));
    }
  }

  // ---------------------------------------------------------------- actions

  @Test
  void closingWritesAllGroupsAndRunsWhatWaitsForThem() throws IOException {
    List<Long> ran = new ArrayList<>();
    DiskLog log = open();
    for (Decision decision : History.after(Decision.NONE, 20, 100, 1)) {
      log.append(decision);
      log.whenDurable(
          () -> {
            assertThat(log.durable().instance()).isGreaterThanOrEqualTo(decision.instance());
            ran.add(decision.instance());
          });
    }
    assertThat(log.durable().instance()).as("more than one group waits").isLessThan(10);
    log.close();
    assertThat(ran).hasSize(20).isSorted();
    assertThat(steps.failures).isEmpty();
    try (DiskLog again = open()) {
      assertThat(again.last().instance()).isEqualTo(19);
    }
  }
}
