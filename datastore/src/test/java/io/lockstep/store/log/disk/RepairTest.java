package io.lockstep.store.log.disk;

import static io.lockstep.store.log.disk.LogFixture.append;
import static io.lockstep.store.log.disk.LogFixture.small;
import static io.lockstep.store.log.disk.LogFixture.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.History;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a start puts right in a directory, and what it leaves there. */
class RepairTest {
  private static final List<Decision> HISTORY = History.after(Decision.NONE, 60, 100, 5);

  private SimulatedDisk disk = new SimulatedDisk(new Random(1));
  private final LogFixture.Steps steps = new LogFixture.Steps();
  private DiskLogOptions options = small(1);

  private DiskLog open() throws IOException {
    return steps.open(disk.open(), options);
  }

  private void useOneSegment() {
    options = new DiskLogOptions(1 << 20, 1024, 1024, 4096, 512, 0, new Random(2)::nextLong);
  }

  private List<String> files(String prefix) {
    return disk.files().stream().filter(name -> name.startsWith(prefix)).toList();
  }

  private void damage(String file, int at) {
    byte[] bytes = disk.bytes(file);
    bytes[at] ^= 4;
    disk.replace(file, bytes);
  }

  private void failAt(String operation, String prefix) {
    disk.setFaults(
        (done, file) -> {
          if (done.equals(operation) && file.startsWith(prefix)) {
            throw new IOException("killed at " + operation + " " + file);
          }
        });
  }

  // ---------------------------------------------------------------- promise

  @Test
  void damagedCopyOfThePromiseIsWrittenAnew() throws IOException {
    try (DiskLog log = open()) {
      log.promise(6);
      log.markJoined();
    }
    for (int place : new int[] {0, TwinFile.PLACE_BYTES, 0}) {
      damage(FileNames.PROMISE, place + 30);
      try (DiskLog log = open()) {
        assertThat(log.regency()).as("copy at %s", place).isEqualTo(6);
        assertThat(log.joined()).isTrue();
      }
    }
  }

  /** A process saw a promise that another one had not synced, and counted on it. */
  @Test
  void promiseThatWasReadSurvivesThePower() throws IOException {
    for (int seed = 0; seed < 50; seed++) {
      disk = new SimulatedDisk(new Random(seed));
      open().close();
      DiskLog killed = open();
      failAt("sync", FileNames.PROMISE);
      assertThatThrownBy(() -> killed.promise(7)).isInstanceOf(IOException.class);
      disk.kill();
      steps.forget();
      int seen;
      try (DiskLog log = open()) {
        seen = log.regency();
      }
      assertThat(seen).isEqualTo(7);
      disk.crash();
      try (DiskLog log = open()) {
        assertThat(log.regency()).as("seed %s", seed).isEqualTo(seen);
      }
    }
  }

  // ---------------------------------------------------------------- decisions that were taken back

  /** The process is killed when the promise says what is taken back and the files still have it. */
  @Test
  void whatWasTakenBackIsNotReadAgain() throws IOException {
    for (boolean one : new boolean[] {true, false}) {
      disk = new SimulatedDisk(new Random(1));
      options = small(1);
      if (one) {
        useOneSegment();
      }
      DiskLog killed = open();
      append(killed, HISTORY);
      killed.markJoined();
      int segments = files("log-").size();
      assertThat(segments == 1).isEqualTo(one);
      failAt(one ? "truncate" : "delete", "log-");
      assertThatThrownBy(() -> killed.truncateAfter(8)).isInstanceOf(IOException.class);
      disk.kill();
      steps.forget();
      assertThat(files("log-")).as("still there").hasSize(segments);
      try (DiskLog log = open()) {
        assertThat(History.text(log.last())).isEqualTo(History.text(HISTORY.get(8)));
        append(log, History.after(log.last(), 5, 100, 9));
      }
      try (DiskLog log = open()) {
        assertThat(log.last().instance()).isEqualTo(13);
        assertThat(History.texts(LogFixture.all(log, -1)).subList(0, 9))
            .isEqualTo(History.texts(HISTORY.subList(0, 9)));
      }
    }
  }

  // ---------------------------------------------------------------- snapshots without their log

  private void logWithSnapshotsAt(int... instances) throws IOException {
    try (DiskLog log = open()) {
      append(log, HISTORY);
      log.markJoined();
      for (int instance : instances) {
        snapshot(log.newSnapshot(HISTORY.get(instance)), HISTORY.get(instance));
      }
    }
  }

  private void damageRecordOf(int instance) throws IOException {
    for (String name : files("log-")) {
      try (Segment segment = Segment.open(disk.copy().open(), name)) {
        RecordReader.ValidRecord found =
            segment
                .readerOfAll()
                .skipTo(
                    record ->
                        record.decision() != null && record.decision().instance() == instance);
        if (found != null) {
          damage(name, (int) found.offset() + Records.HEADER_BYTES + 20);
          return;
        }
      }
    }
    throw new AssertionError("no record of " + instance);
  }

  @Test
  void snapshotWhoseDecisionsWereSetAsideGoes() throws IOException {
    for (boolean one : new boolean[] {true, false}) {
      disk = new SimulatedDisk(new Random(1));
      options = small(1);
      if (one) {
        useOneSegment();
      }
      logWithSnapshotsAt(20, 50);
      damageRecordOf(22);
      try (DiskLog log = open()) {
        assertThat(files("snapshot-")).containsExactly(FileNames.snapshot(0, 50));
        assertThat(log.setAside()).isNotEmpty();
        append(log, History.after(log.last(), 5, 100, 9));
        snapshot(log.newSnapshot(log.last()), log.last());
      }
      assertThat(steps.failures).isEmpty();
      damage(FileNames.snapshot(0, 64), 200);
      try (DiskLog log = open()) {
        assertThat(log.last().instance()).isEqualTo(64);
        assertThat(LogFixture.all(log, 50)).as("the older one has its log").hasSize(14);
      }
    }
  }

  /** Of each file its new name, and why: that of another one where it is whole itself. */
  @Test
  void logSaysWhatWasSetAsideWhereAndWhy() throws IOException {
    logWithSnapshotsAt(5, 55);
    List<String> segments = files("log-");
    assertThat(segments).as("one before the damaged one, and one after it").hasSizeGreaterThan(2);
    String damaged = segments.get(1);
    damage(damaged, disk.bytes(damaged).length / 2);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    Logger log = (Logger) LoggerFactory.getLogger(SetAside.class);
    lines.start();
    log.addAppender(lines);
    log.setLevel(Level.WARN);
    try (DiskLog opened = open()) {
      List<String> gone =
          opened.setAside().stream().map(name -> name.substring(name.indexOf("log-"))).toList();
      assertThat(gone).containsExactly(segments.get(0), damaged);
      for (String file : gone) {
        String where = "simulated/" + file + " set aside as " + FileNames.setAside(1, file) + ": ";
        assertThat(lines.list)
            .extracting(ILoggingEvent::getFormattedMessage)
            .filteredOn(line -> line.startsWith(where))
            .singleElement()
            .asString()
            .contains(file.equals(damaged) ? ": at offset " : ": it is whole, but ")
            .contains(file.equals(damaged) ? "" : damaged + " at offset ");
      }
    } finally {
      log.setLevel(null);
      log.detachAppender(lines);
    }
  }

  // ---------------------------------------------------------------- a log that starts over

  /** The process is killed when the peer's snapshot has its name and the old files are there. */
  @Test
  void filesOfTheReplacedLogAreSetAsideOrGo() throws IOException {
    Decision foreign = History.after(Decision.NONE, 40, 10, 77).get(39);
    logWithSnapshotsAt(20, 50);
    List<String> segments = files("log-");
    DiskLog killed = open();
    failAt("create", "log-000001");
    assertThatThrownBy(() -> snapshot(killed.startOver(foreign), foreign))
        .isInstanceOf(IOException.class);
    disk.kill();
    steps.forget();
    assertThat(files("log-")).isEqualTo(segments);
    for (int start = 0; start < 2; start++) {
      try (DiskLog log = open()) {
        assertThat(log.last().chain()).isEqualTo(foreign.chain());
        assertThat(files("log-")).containsExactly(FileNames.segment(1, 40));
        assertThat(files("snapshot-")).containsExactly(FileNames.snapshot(1, 39));
        assertThat(files("set-aside-"))
            .containsExactlyElementsOf(
                segments.stream().map(name -> FileNames.setAside(1, name)).toList());
      }
    }
  }
}
