package io.lockstep.store.log.disk;

import static io.lockstep.store.log.disk.LogFixture.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.History;
import io.lockstep.store.log.SnapshotSink;
import io.lockstep.store.log.disk.RefusedException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a log refuses, and what it does when the disk fails under it. */
class RefusalTest {
  private final SimulatedDisk disk = new SimulatedDisk(new Random(1));
  private final LogFixture.Steps steps = new LogFixture.Steps();

  private DiskLog open() throws IOException {
    return steps.open(disk.open(), small(1));
  }

  private void refused(Reason reason, String told) {
    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            RefusedException.class, refused -> assertThat(refused.reason()).isEqualTo(reason))
        .hasMessageContaining(told);
  }

  private List<Decision> fill(int count) throws IOException {
    List<Decision> added = History.after(Decision.NONE, count, 100, 5);
    try (DiskLog log = open()) {
      log.markJoined();
      LogFixture.append(log, added);
    }
    return added;
  }

  private String file(String prefix, int number) {
    return disk.files().stream().filter(name -> name.startsWith(prefix)).toList().get(number);
  }

  private void damage(String file, int at) {
    byte[] bytes = disk.bytes(file);
    bytes[at] ^= 4;
    disk.replace(file, bytes);
  }

  @Test
  void directoryOfAnotherReplicaOrCluster() throws IOException {
    fill(3);
    for (Identity other : List.of(new Identity("test", 2), new Identity("other", 1))) {
      assertThatThrownBy(
              () -> DiskLog.openStepped(disk.open(), other, small(1), failure -> {}, Runnable::run))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("simulated/promise belongs to");
    }
    open().close();
  }

  @Test
  void tooLittleSpace() {
    disk.setFreeBytes(100);
    refused(Reason.NO_SPACE, "needs");
  }

  @Test
  void fileInPlaceOfTheDirectory(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "text");
    assertThatThrownBy(() -> FileStorage.open(file))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(file + " is not a directory");
  }

  @Test
  void missingPromiseOrSegments() throws IOException {
    fill(60);
    SimulatedDisk whole = disk.copy();
    disk.remove("promise");
    refused(Reason.DAMAGED, "simulated/promise");
    SimulatedDisk gap = whole.copy();
    gap.remove(whole.files().stream().filter(name -> name.startsWith("log-")).toList().get(1));
    assertThatThrownBy(() -> steps.open(gap.open(), small(1)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("does not continue");
    SimulatedDisk none = whole.copy();
    whole.files().stream().filter(name -> name.startsWith("log-")).forEach(none::remove);
    assertThatThrownBy(() -> steps.open(none.open(), small(1)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("missing");
  }

  @Test
  void damageInTheMiddleIsNamedWithItsPlace() throws IOException {
    fill(60);
    String second = file("log-", 1);
    damage(second, 300);
    refused(Reason.DAMAGED, "simulated/" + second + " at offset ");
    refused(Reason.DAMAGED, "Move the directory away");
  }

  @Test
  void refusedDirectoryStaysAsItIs() throws IOException {
    fill(60);
    String second = file("log-", 1);
    byte[] newer = disk.bytes(second);
    ByteBuffer.wrap(newer).putInt(8, FileHeader.VERSION + 1);
    damage("promise", 30); // one of the copies, which a start puts right
    damage(second, 300);
    disk.setFaults(
        (operation, file) -> {
          throw new AssertionError(operation + " " + file);
        });
    refused(Reason.DAMAGED, "simulated/" + second);
    disk.replace(second, newer);
    refused(Reason.NEWER_FORMAT, "simulated/" + second + " has format version ");
  }

  @Test
  void damageBeforeTheSnapshotIsMadeUpFor() throws IOException {
    List<Decision> added = fill(60);
    try (DiskLog log = open()) {
      LogFixture.snapshot(log.newSnapshot(added.get(50)), added.get(50));
    }
    String second = file("log-", 1);
    damage(second, 300);
    try (DiskLog log = open()) {
      assertThat(History.text(log.last())).isEqualTo(History.text(added.get(59)));
      assertThat(LogFixture.all(log, 50)).hasSize(9);
      assertThat(disk.files()).anyMatch(name -> name.matches("set-aside-.*" + second));
    }
    open().close();
  }

  @Test
  void damagedSnapshotIsMadeUpForByTheOlderOne() throws IOException {
    List<Decision> added = fill(60);
    try (DiskLog log = open()) {
      for (int at : new int[] {20, 30, 40}) {
        LogFixture.snapshot(log.newSnapshot(added.get(at)), added.get(at));
      }
    }
    damage(file("snapshot-", 1), 200);
    try (DiskLog log = open()) {
      Decision at = Objects.requireNonNull(LogFixture.snapshotAt(log));
      assertThat(at.instance()).isEqualTo(30);
      assertThat(LogFixture.all(log, 30)).hasSize(29);
      LogFixture.snapshot(log.newSnapshot(added.get(55)), added.get(55));
    }
    damage(file("snapshot-", 0), 200);
    damage(file("snapshot-", 1), 200);
    refused(Reason.DAMAGED, "missing");
  }

  @Test
  void leftoversOfInterruptedSnapshotsGo() throws IOException {
    List<Decision> added = fill(5);
    DiskLog log = open();
    try (SnapshotSink sink = log.newSnapshot(added.get(3))) {
      sink.write(new byte[500], 0, 500);
      disk.kill();
    }
    assertThat(disk.files()).anyMatch(name -> name.endsWith(".tmp"));
    steps.forget();
    open().close();
    assertThat(disk.files()).noneMatch(name -> name.endsWith(".tmp"));
  }

  @Test
  void fullDiskEndsTheLogAndSaysSo() throws IOException {
    List<Integer> ran = new ArrayList<>();
    DiskLog log = open();
    disk.setFreeBytes(3_000);
    List<Decision> added = History.after(Decision.NONE, 100, 100, 5);
    int appended = 0;
    try {
      for (Decision decision : added) {
        log.append(decision);
        int number = ++appended;
        log.whenDurable(() -> ran.add(number));
        if (number % 3 == 0) {
          steps.run();
        }
      }
    } catch (IOException full) {
      assertThat(full).hasMessageContaining("free some space");
    }
    assertThat(appended).isLessThan(100);
    assertThat(ran).isNotEmpty().hasSizeLessThan(appended);
    int ranBefore = ran.size();
    assertThat(steps.failures).hasSize(1);
    assertThat(steps.failures.get(0).toString())
        .contains("simulated/log-", "No space left", "free some space", "restart");
    disk.setFreeBytes(1 << 20);
    assertThatThrownBy(() -> log.promise(9)).isInstanceOf(IOException.class);
    Decision next = added.get(appended);
    assertThatThrownBy(() -> log.append(next)).isInstanceOf(IOException.class);
    log.whenDurable(() -> ran.add(-1));
    steps.run();
    log.close();
    assertThat(ran).hasSize(ranBefore);
    assertThat(steps.failures).hasSize(1);
    try (DiskLog again = open()) {
      assertThat(again.last().instance()).isGreaterThanOrEqualTo(ranBefore - 1);
    }
  }

  @Test
  void failedSyncIsFinalEvenIfTheNextWouldWork() throws IOException {
    List<Integer> ran = new ArrayList<>();
    DiskLog log = open();
    int[] failures = {1};
    disk.setFaults(
        (operation, file) -> {
          if (operation.equals("sync") && failures[0]-- > 0) {
            throw new IOException("I/O error");
          }
        });
    log.append(History.after(Decision.NONE, 1, 10, 1).get(0));
    log.whenDurable(() -> ran.add(1));
    steps.run();
    assertThat(ran).isEmpty();
    assertThat(steps.failures).hasSize(1);
    assertThat(steps.failures.get(0).remedy()).contains("see to the disk");
    assertThatThrownBy(() -> log.append(History.after(log.last(), 1, 10, 1).get(0)))
        .hasMessageContaining("failed before");
    log.close();
    assertThat(ran).isEmpty();
  }

  @Test
  void snapshotThatDoesNotFitLeavesTheLogGoing() throws IOException {
    DiskLog log = open();
    List<Decision> added = History.after(Decision.NONE, 4, 10, 1);
    LogFixture.append(log, added);
    steps.run();
    disk.setFreeBytes(1_000);
    try (SnapshotSink sink = log.newSnapshot(added.get(3))) {
      assertThatThrownBy(
              () -> {
                sink.write(new byte[300_000], 0, 300_000);
                sink.commit();
              })
          .hasMessageContaining("No space left")
          .hasMessageContaining("/snapshot-")
          .hasMessageContaining("the disk is full: free some space");
    }
    disk.setFreeBytes(1 << 20);
    log.append(History.after(log.last(), 1, 10, 1).get(0));
    log.close();
    assertThat(steps.failures).isEmpty();
    assertThat(disk.files()).noneMatch(name -> name.startsWith("snapshot-"));
  }
}
