package io.lockstep.store.log.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.History;
import io.lockstep.store.log.disk.RefusedException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups, what is restored from them, and verification, on real files. */
class BackupTest {
  @TempDir Path place;

  private DiskLog open(String directory, int replica) throws IOException {
    return DiskLog.open(
        FileStorage.open(place.resolve(directory)),
        new Identity("test", replica),
        LogFixture.small(7),
        failure -> {
          throw new AssertionError(failure.toString());
        });
  }

  private List<Decision> fill(DiskLog log, int count) throws IOException {
    List<Decision> added = History.after(log.last(), count, 100, 5);
    LogFixture.append(log, added);
    return added;
  }

  private void refused(Reason reason, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RefusedException.class, refused -> assertThat(refused.reason()).isEqualTo(reason));
  }

  @Test
  void allReplicasRestoredFromOneFileBeginEqual() throws IOException {
    String original;
    try (DiskLog log = open("origin", 1)) {
      log.promise(3);
      log.markJoined();
      List<Decision> added = fill(log, 80);
      LogFixture.snapshot(log.newSnapshot(added.get(40)), added.get(40));
      original = LogFixture.contents(log);
      Backup.Written written = Backup.write(place.resolve("origin"), place.resolve("b/file"));
      assertThat(written.snapshotInstance()).isEqualTo(40);
    }
    try (DiskLog log = open("origin", 1)) {
      fill(log, 20);
    }
    Backup.Written later = Backup.write(place.resolve("origin"), place.resolve("b/later"));
    assertThat(later.lastInstance()).isEqualTo(99);
    assertThat(later.bytes()).isEqualTo(Files.size(place.resolve("b/later")));
    Set<String> contents = new HashSet<>();
    for (int replica = 0; replica < 3; replica++) {
      Path to = place.resolve("restored-" + replica);
      Identity owner = new Identity("test", replica);
      Restore.RestoredDirectory restored = Restore.into(place.resolve("b/later"), to, owner);
      assertThat(restored.lastInstance()).isEqualTo(99);
      assertThat(LogVerifier.verify(to).good()).isTrue();
      try (DiskLog log = open("restored-" + replica, replica)) {
        assertThat(log.joined()).isTrue();
        contents.add(LogFixture.contents(log));
        fill(log, 5);
      }
    }
    assertThat(contents).hasSize(1).doesNotContain(original);
    try (DiskLog log = open("origin", 1)) {
      // The decisions' own regency is higher than the one that was promised.
      log.promise(5);
      assertThat(contents).containsExactly(LogFixture.contents(log));
    }
  }

  @Test
  void backupBesideARunningReplicaIsAlwaysAPrefix() throws Exception {
    List<String> known = new ArrayList<>();
    try (DiskLog log = open("origin", 1)) {
      known.addAll(History.texts(fill(log, 50)));
      // A backup begins anew only so often: snapshots must not come faster than backups.
      Semaphore rounds = new Semaphore(0);
      Thread writer =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < 20; i++) {
                    rounds.acquireUninterruptibly();
                    List<Decision> added = fill(log, 30);
                    known.addAll(History.texts(added));
                    LogFixture.snapshot(log.newSnapshot(added.get(10)), added.get(10));
                  }
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      writer.setDaemon(true);
      writer.start();
      int number = 0;
      do {
        if (rounds.availablePermits() == 0) {
          rounds.release();
        }
        Backup.write(place.resolve("origin"), place.resolve("b" + number++));
        assertThat(LogVerifier.verify(place.resolve("origin")).damages()).isEmpty();
      } while (writer.isAlive());
      writer.join();
      for (int i = 0; i < number; i++) {
        Path to = place.resolve("restored-" + i);
        Restore.into(place.resolve("b" + i), to, new Identity("test", 2));
        try (DiskLog restored = open("restored-" + i, 2)) {
          Decision at = LogFixture.snapshotAt(restored);
          long from = at == null ? -1 : at.instance();
          assertThat(History.texts(LogFixture.all(restored, from)))
              .isEqualTo(known.subList((int) from + 1, (int) restored.last().instance() + 1));
        }
      }
    }
  }

  @Test
  void whatCannotBeBackedUpOrRestoredIsRefused() throws IOException {
    try (DiskLog log = open("origin", 1)) {
      fill(log, 10);
    }
    Path directory = place.resolve("origin");
    Path backup = place.resolve("backup");
    Backup.write(directory, backup);
    refused(Reason.NOT_EMPTY, () -> Backup.write(directory, backup));
    refused(Reason.NOT_A_DIRECTORY, () -> Backup.write(place.resolve("none"), place.resolve("x")));
    Files.createDirectory(place.resolve("empty"));
    refused(Reason.EMPTY, () -> Backup.write(place.resolve("empty"), place.resolve("x")));
    refused(Reason.EMPTY, () -> LogVerifier.verify(place.resolve("empty")));
    Identity owner = new Identity("test", 1);
    refused(Reason.NOT_EMPTY, () -> Restore.into(backup, directory, owner));
    refused(
        Reason.OTHER_CLUSTER,
        () -> Restore.into(backup, place.resolve("empty"), new Identity("other", 1)));
    byte[] bytes = Files.readAllBytes(backup);
    for (int at = 0; at < bytes.length; at += 7) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= 1;
      Files.write(place.resolve("damaged"), damaged);
      assertThatThrownBy(
              () -> Restore.into(place.resolve("damaged"), place.resolve("empty"), owner))
          .as("byte %s", at)
          .isInstanceOf(RefusedException.class);
    }
    assertThat(place.resolve("empty")).isEmptyDirectory();
    Path segment = directory.resolve("log-000000-0000000000000000000");
    byte[] log = Files.readAllBytes(segment);
    log[200] ^= 1;
    Files.write(segment, log);
    refused(Reason.DAMAGED, () -> Backup.write(directory, place.resolve("x")));
    LogVerifier.Report report = LogVerifier.verify(directory);
    assertThat(report.good()).isFalse();
    assertThat(report.damages().get(0).toString()).startsWith("log-000000-");
  }

  @Test
  void verifierTellsWhatThereIs() throws IOException {
    try (DiskLog log = open("origin", 1)) {
      log.promise(9);
      log.markJoined();
      List<Decision> added = fill(log, 60);
      for (int at : new int[] {35, 50}) {
        LogFixture.snapshot(log.newSnapshot(added.get(at)), added.get(at));
      }
      LogVerifier.Report report = LogVerifier.verify(place.resolve("origin"));
      assertThat(report.damages()).isEmpty();
      assertThat(report.owner()).isEqualTo(new Identity("test", 1));
      assertThat(report.joined()).isTrue();
      assertThat(report.regency()).isEqualTo(9);
      assertThat(report.lastInstance()).isGreaterThanOrEqualTo(50);
      assertThat(report.firstInstance()).isPositive().isLessThanOrEqualTo(36);
      assertThat(report.snapshots())
          .extracting(LogVerifier.SnapshotReport::instance)
          .containsExactly(50L, 35L);
    }
  }
}
