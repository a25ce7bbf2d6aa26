package io.lockstep.store.log.disk;

import static io.lockstep.store.log.disk.LogFixture.OWNER;
import static io.lockstep.store.log.disk.LogFixture.all;
import static io.lockstep.store.log.disk.LogFixture.append;
import static io.lockstep.store.log.disk.LogFixture.small;
import static io.lockstep.store.log.disk.LogFixture.snapshot;
import static io.lockstep.store.log.disk.LogFixture.snapshotAt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.History;
import io.lockstep.store.log.SnapshotSink;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What several threads may do with a log at once. */
@Timeout(120)
class DiskLogThreadsTest {
  @TempDir Path directory;

  private final List<LogFailure> failures = new ArrayList<>();

  private DiskLog open() throws IOException {
    return DiskLog.open(FileStorage.open(directory), OWNER, small(3), failures::add);
  }

  @Test
  void snapshotsAreCommittedWhileDecisionsAreAppendedCutAndRead() throws Exception {
    int rounds = 150;
    AtomicBoolean ended = new AtomicBoolean();
    AtomicReference<Decision> state = new AtomicReference<>(Decision.NONE);
    ExecutorService threads = Executors.newFixedThreadPool(3);
    List<Future<?>> others = new ArrayList<>();
    List<Decision> expected = new ArrayList<>();
    try (DiskLog log = open()) {
      Callable<Void> snapshots =
          () -> {
            while (!ended.get()) {
              Decision at = Objects.requireNonNull(state.get());
              Decision newest = snapshotAt(log);
              if (at.instance() > (newest == null ? -1 : newest.instance())) {
                commitUnlessOvertaken(log, at);
              }
            }
            return null;
          };
      Callable<Void> reader =
          () -> {
            while (!ended.get()) {
              Decision last = log.last();
              log.after(last.instance() - 5, 500);
              log.chainAfter(last.instance() - 3);
            }
            return null;
          };
      Callable<Void> promises =
          () -> {
            for (int regency = 1; !ended.get(); regency++) {
              log.promise(regency);
              assertThat(log.regency()).isGreaterThanOrEqualTo(regency);
            }
            return null;
          };
      others.add(threads.submit(snapshots));
      others.add(threads.submit(reader));
      others.add(threads.submit(promises));
      for (int round = 0; round < rounds; round++) {
        List<Decision> some = History.after(log.last(), 10, 100, round);
        append(log, some);
        expected.addAll(some);
        state.set(log.last());
        if (round % 5 == 4) {
          cutUnlessOvertaken(log, expected);
          state.set(log.last());
        }
      }
      ended.set(true);
      for (Future<?> other : others) {
        other.get(60, TimeUnit.SECONDS);
      }
    } finally {
      ended.set(true);
      threads.shutdownNow();
    }
    assertThat(failures).isEmpty();
    try (DiskLog log = open()) {
      Decision at = snapshotAt(log);
      long from = at == null ? -1 : at.instance();
      List<Decision> kept = expected.subList((int) from + 1, expected.size());
      assertThat(History.texts(all(log, from))).isEqualTo(History.texts(kept));
      assertThat(History.text(log.last()))
          .isEqualTo(History.text(expected.get(expected.size() - 1)));
      if (at != null) {
        assertThat(History.text(at)).isEqualTo(History.text(expected.get((int) from)));
      }
    }
  }

  private static void commitUnlessOvertaken(DiskLog log, Decision at) throws IOException {
    try {
      snapshot(log.newSnapshot(at), at);
    } catch (IllegalStateException overtaken) {
      assertThat(overtaken).hasMessageContaining("the decision of the snapshot");
    }
  }

  private static void cutUnlessOvertaken(DiskLog log, List<Decision> expected) throws IOException {
    long to = log.last().instance() - 7;
    try {
      log.truncateAfter(to);
      expected.subList((int) to + 1, expected.size()).clear();
    } catch (IllegalArgumentException overtaken) {
      assertThat(overtaken).hasMessageContaining("lies before the snapshot");
    }
  }

  @Test
  void cutThatASnapshotOvertakesChangesNothing() throws IOException {
    LogFixture.Steps steps = new LogFixture.Steps();
    try (DiskLog log = steps.open(FileStorage.open(directory), small(3))) {
      List<Decision> decisions = History.after(Decision.NONE, 6, 100, 1);
      append(log, decisions);
      SnapshotSink sink = log.newSnapshot(decisions.get(4));
      // Runs where the cut waits for the disk.
      log.whenDurable(() -> commit(sink, decisions.get(4)));
      assertThatThrownBy(() -> log.truncateAfter(3)).isInstanceOf(IllegalArgumentException.class);
      assertThat(log.last()).isEqualTo(decisions.get(5));
      assertThat(snapshotAt(log)).isNotNull();
    }
    assertThat(steps.failures).isEmpty();
  }

  private static void commit(SnapshotSink sink, Decision at) {
    try {
      snapshot(sink, at);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void snapshotOfWhatWasTakenBackBeforeItBeganIsRefused() throws IOException {
    try (DiskLog log = open()) {
      List<Decision> decisions = History.after(Decision.NONE, 6, 100, 1);
      append(log, decisions);
      log.truncateAfter(3);
      assertThatThrownBy(() -> snapshot(log.newSnapshot(decisions.get(5)), decisions.get(5)))
          .isInstanceOf(IllegalStateException.class);
      append(log, History.after(log.last(), 4, 100, 2));
      assertThatThrownBy(() -> snapshot(log.newSnapshot(decisions.get(5)), decisions.get(5)))
          .isInstanceOf(IllegalStateException.class);
      assertThat(log.latestSnapshot()).isNull();
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void snapshotThatIsCompleteAfterTheEndOfTheLogIsRefused() throws IOException {
    DiskLog log = open();
    List<Decision> decisions = History.after(Decision.NONE, 6, 100, 1);
    append(log, decisions);
    SnapshotSink late = log.newSnapshot(decisions.get(5));
    log.close();
    assertThatThrownBy(() -> snapshot(late, decisions.get(5))).isInstanceOf(IOException.class);
    try (DiskLog again = open()) {
      assertThat(again.latestSnapshot()).isNull();
    }
  }

  /** A storage that tells when it is closed. */
  private static Storage telling(Storage storage, CountDownLatch closed) {
    return (Storage)
        Proxy.newProxyInstance(
            Storage.class.getClassLoader(),
            new Class<?>[] {Storage.class},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(storage, arguments);
                if (method.getName().equals("close")) {
                  closed.countDown();
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** The disk hangs in the middle of a sync, and answers after the log was closed. */
  @Test
  void closingWaitsForADiskThatHangsOnlySoLongAndNamesTheFile() throws Exception {
    SimulatedDisk disk = new SimulatedDisk(new Random(1));
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch answers = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    AtomicBoolean told = new AtomicBoolean();
    DiskLog log =
        DiskLog.open(
            telling(disk.open(), closed), OWNER, small(3).withCloseMillis(100), failures::add);
    append(log, History.after(Decision.NONE, 1, 100, 1));
    log.markJoined();
    disk.setFaults(
        (operation, file) -> {
          if (operation.equals("sync")) {
            hangs.countDown();
            try {
              answers.await();
            } catch (InterruptedException e) {
              throw new InterruptedIOException();
            }
          }
        });
    append(log, History.after(log.last(), 1, 100, 1));
    log.whenDurable(() -> told.set(true));
    hangs.await();
    log.close();
    assertThat(failures)
        .singleElement()
        .satisfies(
            failure -> {
              assertThat(failure.operation()).isEqualTo("closing");
              assertThat(failure.file()).isIn(segments(disk));
              assertThat(failure.reason()).isEqualTo("the disk has not answered for 100 ms");
            });
    assertThat(closed.getCount()).as("what hangs may yet be written").isEqualTo(1);
    assertThatThrownBy(() -> append(log, History.after(log.last(), 1, 100, 1)))
        .isInstanceOf(IOException.class);
    answers.countDown();
    assertThat(closed.await(60, TimeUnit.SECONDS)).as("the directory is free again").isTrue();
    assertThat(told).isFalse();
    assertThat(failures).hasSize(1);
  }

  private static List<String> segments(SimulatedDisk disk) {
    return disk.files().stream().map(file -> "simulated/" + file).toList();
  }

  @Test
  void closingWritesWhatWaitsAndRunsWhatWaitsForIt() throws Exception {
    AtomicBoolean told = new AtomicBoolean();
    List<Decision> decisions = History.after(Decision.NONE, 20, 100, 1);
    DiskLog log = open();
    append(log, decisions);
    log.whenDurable(() -> told.set(true));
    log.close();
    log.close();
    assertThat(told).isTrue();
    try (DiskLog again = open()) {
      assertThat(again.last().instance()).isEqualTo(19);
      assertThat(again.last().chain()).isEqualTo(decisions.get(19).chain());
    }
    assertThat(failures).isEmpty();
  }
}
