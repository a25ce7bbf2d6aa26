package io.lockstep.store.log.disk;

import static io.lockstep.store.log.disk.LogFixture.OWNER;
import static io.lockstep.store.log.disk.LogFixture.all;
import static io.lockstep.store.log.disk.LogFixture.append;
import static io.lockstep.store.log.disk.LogFixture.small;
import static io.lockstep.store.log.disk.LogFixture.snapshot;
import static io.lockstep.store.log.disk.LogFixture.snapshotAt;
import static io.lockstep.store.log.disk.LogFixture.stateAfter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.History;
import io.lockstep.store.log.SnapshotSink;
import io.lockstep.store.log.StoredSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log in real files, with a thread of its own. */
class DiskLogTest {
  @TempDir Path directory;

  private final List<LogFailure> failures = new ArrayList<>();

  private DiskLog open() throws IOException {
    return DiskLog.open(FileStorage.open(directory), OWNER, small(3), failures::add);
  }

  private List<String> files(String prefix) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.startsWith(prefix))
          .sorted()
          .toList();
    }
  }

  @Test
  void startSaysInWordsWhatTheDirectoryHolds() {
    Decision third = new Decision(3, 0, new byte[Decision.CHAIN_BYTES], new byte[0]);
    Decision fifth = new Decision(5, 0, new byte[Decision.CHAIN_BYTES], new byte[0]);
    assertThat(DiskLog.describe(Decision.NONE, List.of())).isEqualTo("an empty log");
    assertThat(DiskLog.describe(fifth, List.of()))
        .isEqualTo("decisions up to instance 5, no snapshot");
    assertThat(DiskLog.describe(fifth, List.of(fifth, third)))
        .isEqualTo("decisions up to instance 5, snapshots at [5, 3]");
  }

  @Test
  void newDirectoryHoldsAnEmptyLog() throws IOException {
    directory = directory.resolve("made/anew");
    try (DiskLog log = open()) {
      assertThat(log.joined()).isFalse();
      assertThat(log.regency()).isZero();
      assertThat(log.last().instance()).isEqualTo(-1);
      assertThat(log.after(-1, 100)).isEmpty();
      assertThat(log.chainAfter(-1)).isEqualTo(Decision.NONE.chain());
      assertThat(log.latestSnapshot()).isNull();
    }
  }

  @Test
  void promisesAreKept() throws IOException {
    try (DiskLog log = open()) {
      log.promise(7);
      log.markJoined();
      log.promise(3);
    }
    try (DiskLog log = open()) {
      assertThat(log.regency()).isEqualTo(7);
      assertThat(log.joined()).isTrue();
    }
  }

  @Test
  void decisionsOfManySegmentsComeBack() throws IOException {
    List<Decision> added = History.after(Decision.NONE, 200, 100, 5);
    try (DiskLog log = open()) {
      append(log, added);
      assertThat(History.texts(all(log, -1))).isEqualTo(History.texts(added));
    }
    assertThat(files("log-")).hasSizeGreaterThan(5);
    try (DiskLog log = open()) {
      assertThat(History.text(log.last())).isEqualTo(History.text(added.get(199)));
      assertThat(History.texts(all(log, -1))).isEqualTo(History.texts(added));
      for (int i = 0; i < 200; i++) {
        assertThat(log.chainAfter(i)).as("after %s", i).isEqualTo(added.get(i).chain());
      }
      assertThat(log.chainAfter(200)).isNull();
      assertThat(log.after(200, 1)).isNull();
    }
  }

  @Test
  void actionsRunInOrderOnceTheirDecisionsAreDurable() throws Exception {
    List<Integer> ran = new ArrayList<>();
    CountDownLatch all = new CountDownLatch(500);
    try (DiskLog log = open()) {
      Decision last = Decision.NONE;
      for (int i = 0; i < 500; i++) {
        last = History.next(last, 0, new byte[20]);
        int number = i;
        log.append(last);
        log.whenDurable(
            () -> {
              ran.add(number);
              all.countDown();
            });
      }
      assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(ran).hasSize(500).isSorted();
      assertThatThrownBy(() -> log.append(Decision.NONE)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void actionThatAnActionAddsWaitsForItsTurn() throws IOException {
    List<String> ran = new ArrayList<>();
    LogFixture.Steps steps = new LogFixture.Steps();
    try (DiskLog log = steps.open(FileStorage.open(directory), small(3))) {
      append(log, History.after(Decision.NONE, 1, 100, 1));
      log.whenDurable(
          () -> {
            log.whenDurable(() -> ran.add("added"));
            ran.add("first");
          });
      log.whenDurable(() -> ran.add("second"));
      assertThat(ran).as("before anything was synced").isEmpty();
      steps.run();
      assertThat(ran).containsExactly("first", "second", "added");
      log.whenDurable(
          () -> {
            log.whenDurable(() -> ran.add("at once"));
            ran.add("all is durable");
          });
      assertThat(ran).endsWith("at once", "all is durable");
      append(log, History.after(log.last(), 1, 100, 1));
      log.whenDurable(
          () -> {
            log.whenDurable(() -> ran.add("last"));
            ran.add("alone");
          });
      steps.run();
      assertThat(ran).endsWith("alone", "last");
    }
  }

  @Test
  void onlyTheNewestTwoSnapshotsAndTheirDecisionsStay() throws IOException {
    List<Decision> added = History.after(Decision.NONE, 300, 100, 5);
    try (DiskLog log = open()) {
      append(log, added.subList(0, 100));
      snapshot(log.newSnapshot(added.get(99)), added.get(99));
      assertThat(files("log-").get(0)).as("nothing else to go back to").endsWith("00000");
      try (StoredSnapshot old = Objects.requireNonNull(log.latestSnapshot())) {
        for (int i = 100; i < 300; i += 100) {
          append(log, added.subList(i, i + 100));
          snapshot(log.newSnapshot(added.get(i + 99)), added.get(i + 99));
        }
        assertThat(old.read(0, 1 << 20)).as("removed").isEqualTo(stateAfter(added.get(99)));
      }
      assertThat(files("snapshot-")).hasSize(2);
      assertThat(log.after(150, 100)).isNull();
      assertThat(History.texts(all(log, 199))).isEqualTo(History.texts(added.subList(200, 300)));
    }
    try (DiskLog log = open()) {
      assertThat(log.last().instance()).isEqualTo(299);
      assertThat(Objects.requireNonNull(snapshotAt(log)).instance()).isEqualTo(299);
    }
  }

  @Test
  void abandonedSnapshotLeavesNothing() throws IOException {
    try (DiskLog log = open()) {
      append(log, History.after(Decision.NONE, 3, 10, 1));
      try (SnapshotSink sink = log.newSnapshot(log.last())) {
        sink.write(new byte[1000], 0, 1000);
      }
      assertThat(files("snapshot-")).isEmpty();
    }
  }

  @Test
  void takenBackDecisionsAreSetAside() throws IOException {
    List<Decision> added = History.after(Decision.NONE, 120, 100, 5);
    try (DiskLog log = open()) {
      append(log, added);
      SnapshotSink late = log.newSnapshot(added.get(80));
      log.truncateAfter(50);
      assertThat(History.text(log.last())).isEqualTo(History.text(added.get(50)));
      assertThatThrownBy(late::commit).isInstanceOf(IllegalStateException.class);
      late.close();
      assertThat(files("set-aside-")).hasSize(1);
      append(log, History.after(log.last(), 30, 100, 9));
      assertThat(log.last().instance()).isEqualTo(80);
    }
    try (DiskLog log = open()) {
      assertThat(log.last().instance()).isEqualTo(80);
      assertThat(History.texts(all(log, -1)).subList(0, 51))
          .isEqualTo(History.texts(added.subList(0, 51)));
      log.truncateAfter(-1);
      assertThat(log.last().instance()).isEqualTo(-1);
      append(log, added.subList(0, 2));
      snapshot(log.newSnapshot(added.get(1)), added.get(1));
      assertThatThrownBy(() -> log.truncateAfter(0)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void onlySoManyLotsAreSetAside() throws IOException {
    try (DiskLog log = open()) {
      for (int i = 0; i < 6; i++) {
        append(log, History.after(Decision.NONE, 5, 10, i));
        log.truncateAfter(-1);
      }
    }
    assertThat(files("set-aside-")).hasSize(SetAside.KEPT);
    assertThat(files("set-aside-").get(2)).contains("-000006.");
  }

  @Test
  void startingOverReplacesEverything() throws IOException {
    Decision foreign = History.after(Decision.NONE, 40, 10, 77).get(39);
    try (DiskLog log = open()) {
      log.promise(4);
      append(log, History.after(Decision.NONE, 60, 100, 5));
      snapshot(log.newSnapshot(log.last()), log.last());
      snapshot(log.startOver(foreign), foreign);
      assertThat(log.last()).isEqualTo(foreign);
      assertThat(log.chainAfter(39)).isEqualTo(foreign.chain());
      assertThat(log.after(20, 100)).isNull();
      append(log, History.after(foreign, 10, 100, 5));
    }
    try (DiskLog log = open()) {
      assertThat(log.regency()).isEqualTo(4);
      assertThat(log.last().instance()).isEqualTo(49);
      assertThat(Objects.requireNonNull(snapshotAt(log)).instance()).isEqualTo(39);
      assertThat(all(log, 39)).hasSize(10);
      assertThat(files("snapshot-")).hasSize(1);
      assertThat(files("set-aside-")).isNotEmpty();
    }
  }

  @Test
  void directoryInUseIsRefused() throws IOException {
    try (DiskLog log = open()) {
      assertThat(log.joined()).isFalse();
      assertThatThrownBy(this::open)
          .isInstanceOfSatisfying(
              RefusedException.class,
              refused -> assertThat(refused.reason()).isEqualTo(RefusedException.Reason.LOCKED));
    }
    open().close();
  }

  @Test
  void snapshotLargerThanItsBlocksIsReadAnywhere() throws IOException {
    byte[] state = new byte[700_001];
    new Random(4).nextBytes(state);
    Decision at = History.after(Decision.NONE, 1, 10, 1).get(0);
    try (DiskLog log = open()) {
      log.append(at);
      try (SnapshotSink sink = log.newSnapshot(at)) {
        sink.write(state, 0, state.length);
        sink.commit();
      }
      try (StoredSnapshot read = Objects.requireNonNull(log.latestSnapshot())) {
        assertThat(read.length()).isEqualTo(state.length);
        assertThat(read.read(0, 1 << 20)).isEqualTo(state);
        assertThat(read.read(131_000, 200)).isEqualTo(Arrays.copyOfRange(state, 131_000, 131_200));
        assertThat(read.read(700_001, 5)).isEmpty();
      }
    }
    open().close();
  }
}
