package io.lockstep.store.log.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.History;
import io.lockstep.store.log.StoredSnapshot;
import io.lockstep.store.log.disk.Storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What any version wrote is read by today's program, and today's writes what its version says. */
class FormatTest {
  private static final List<Decision> DECISIONS = FormatSample.DECISIONS;
  private static final Decision LAST = DECISIONS.get(DECISIONS.size() - 1);
  private static final int SNAPSHOT = FormatSample.NEWER_SNAPSHOT;

  @TempDir Path place;

  @BeforeAll
  static void keepTheSampleOfANewVersion() throws IOException {
    if (Boolean.getBoolean("lockstep.format.write")) {
      FormatSample.keep();
    }
  }

  static IntStream versions() {
    return IntStream.rangeClosed(1, FileHeader.VERSION);
  }

  private Path data(int version) throws IOException {
    Path data = place.resolve("data");
    FormatSample.data(version, data);
    return data;
  }

  private Path backup(int version) throws IOException {
    byte[] bytes = Objects.requireNonNull(FormatSample.kept(version).get(FormatSample.BACKUP));
    return Files.write(place.resolve("backup"), bytes);
  }

  private static DiskLog open(Path directory, Identity owner) throws IOException {
    return DiskLog.open(
        FileStorage.open(directory),
        owner,
        LogFixture.small(1),
        failure -> {
          throw new AssertionError(failure.toString());
        });
  }

  private static void hasAllAfterTheSnapshot(DiskLog log) throws IOException {
    assertThat(log.joined()).isTrue();
    assertThat(log.regency()).isEqualTo(FormatSample.PROMISE.regency());
    assertThat(log.last()).usingRecursiveComparison().isEqualTo(LAST);
    assertThat(LogFixture.all(log, SNAPSHOT))
        .usingRecursiveComparison()
        .isEqualTo(DECISIONS.subList(SNAPSHOT + 1, DECISIONS.size()));
    try (StoredSnapshot snapshot = Objects.requireNonNull(log.latestSnapshot())) {
      isTheState(snapshot, SNAPSHOT);
    }
  }

  private static void isTheState(StoredSnapshot snapshot, int instance) throws IOException {
    assertThat(snapshot.at()).usingRecursiveComparison().isEqualTo(DECISIONS.get(instance));
    assertThat(snapshot.length()).isEqualTo(200 + instance);
    assertThat(snapshot.read(0, 1_000)).isEqualTo(FormatSample.state(instance));
  }

  @Test
  void historyOfTheSamplesIsThis() {
    // SHA-256 over the chain so far, the instance as 8 bytes and the value, twelve times.
    assertThat(HexFormat.of().formatHex(LAST.chain()))
        .isEqualTo("9a8399d3ad0b9315827354116cdb3dea40d633bf717ba61097de3961a2498def");
  }

  @ParameterizedTest
  @MethodSource("versions")
  void directoryOfEveryVersionIsRecoveredAndGoesOn(int version) throws IOException {
    Path data = data(version);
    try (Storage storage = FileStorage.readOnly(data)) {
      assertThat(PromiseFile.read(storage)).isEqualTo(FormatSample.PROMISE);
    }
    List<Decision> added = History.after(LAST, 30, 100, 5);
    try (DiskLog log = open(data, FormatSample.OWNER)) {
      hasAllAfterTheSnapshot(log);
      assertThat(LogFixture.all(log, FormatSample.OLDER_SNAPSHOT))
          .usingRecursiveComparison()
          .isEqualTo(DECISIONS.subList(FormatSample.OLDER_SNAPSHOT + 1, DECISIONS.size()));
      LogFixture.append(log, added);
    }
    assertThat(LogVerifier.verify(data).damages()).isEmpty();
    try (DiskLog log = open(data, FormatSample.OWNER)) {
      assertThat(LogFixture.all(log, LAST.instance())).usingRecursiveComparison().isEqualTo(added);
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void directoryOfEveryVersionIsVerified(int version) throws IOException {
    Path data = data(version);
    LogVerifier.Report report = LogVerifier.verify(data);
    assertThat(report.damages()).isEmpty();
    assertThat(report.torn()).isNull();
    assertThat(report.owner()).isEqualTo(FormatSample.OWNER);
    assertThat(report.joined()).isTrue();
    assertThat(report.regency()).isEqualTo(FormatSample.PROMISE.regency());
    assertThat(report.firstInstance()).isEqualTo(FormatSample.OLDER_SNAPSHOT + 1);
    assertThat(report.lastInstance()).isEqualTo(LAST.instance());
    assertThat(report.segments()).isEqualTo(2);
    assertThat(report.snapshots())
        .extracting(LogVerifier.SnapshotReport::instance)
        .containsExactly((long) SNAPSHOT, (long) FormatSample.OLDER_SNAPSHOT);
    try (Storage storage = FileStorage.readOnly(data);
        SnapshotFile older = SnapshotFile.open(storage, report.snapshots().get(1).file())) {
      isTheState(older, FormatSample.OLDER_SNAPSHOT);
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void backupOfEveryVersionIsRestored(int version) throws IOException {
    restoresTo(backup(version));
  }

  @ParameterizedTest
  @MethodSource("versions")
  void directoryOfEveryVersionIsBackedUp(int version) throws IOException {
    Path backup = place.resolve("todays-backup");
    Backup.write(data(version), backup);
    restoresTo(backup);
  }

  private void restoresTo(Path backup) throws IOException {
    Identity owner = new Identity(FormatSample.OWNER.clusterId(), 2);
    Path to = place.resolve("restored");
    Restore.RestoredDirectory restored = Restore.into(backup, to, owner);
    assertThat(restored)
        .isEqualTo(new Restore.RestoredDirectory(FormatSample.OWNER, SNAPSHOT, LAST.instance()));
    try (DiskLog log = open(to, owner)) {
      hasAllAfterTheSnapshot(log);
    }
  }

  @Test
  void todaysBytesAreThoseOfTheVersion() throws IOException {
    Map<String, byte[]> kept = FormatSample.kept(FileHeader.VERSION);
    Map<String, byte[]> written = FormatSample.written();
    assertThat(written.keySet()).isEqualTo(kept.keySet());
    written.forEach(
        (name, bytes) ->
            assertThat(bytes)
                .as(
                    "%s is no longer written as format version %d is fixed. If it has to change,"
                        + " raise FileHeader.VERSION, keep reading the old version, and add a sample"
                        + " of the new one: docs/adr/0005 and FormatSample say how",
                    name, FileHeader.VERSION)
                .isEqualTo(kept.get(name)));
  }

  /** The samples are small; this has three blocks. */
  @Test
  void longStatesAreWrittenAsVersionOneSays() throws Exception {
    SimulatedDisk disk = new SimulatedDisk(new Random(1));
    byte[] state = new byte[300_000];
    for (int at = 0; at < state.length; at++) {
      state[at] = (byte) (7 * at);
    }
    try (StoredFile file = disk.open().create("blocks")) {
      BlockWriter writer = new BlockWriter(file, 0);
      writer.write(state, 0, state.length);
      writer.finish();
    }
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(disk.bytes("blocks"));
    assertThat(HexFormat.of().formatHex(digest))
        .as("blocks of format version 1, reckoned apart from this program")
        .isEqualTo("275fbc44284cb2b607dfac3ce5a7ef7dbf92973fa9ee06c35cfd982df5169eff");
  }

  @Test
  void backupOfANewerVersionIsRefused() throws IOException {
    Path backup = backup(FileHeader.VERSION);
    byte[] bytes = Files.readAllBytes(backup);
    ByteBuffer.wrap(bytes).putInt(8, FileHeader.VERSION + 1);
    Files.write(backup, bytes);
    Path to = place.resolve("restored");
    assertThatThrownBy(() -> Restore.into(backup, to, FormatSample.OWNER))
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> assertThat(refused.reason()).isEqualTo(RefusedException.Reason.NEWER_FORMAT))
        .hasMessage(
            "%s has format version %d; this version of Lockstep reads up to %d:"
                + " use the version that wrote it, or a newer one",
            backup, FileHeader.VERSION + 1, FileHeader.VERSION);
    assertThat(to).isEmptyDirectory();
  }
}
