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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
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
}
