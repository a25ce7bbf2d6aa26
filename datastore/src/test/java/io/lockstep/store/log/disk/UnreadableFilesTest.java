package io.lockstep.store.log.disk;

import static io.lockstep.store.log.disk.LogFixture.OWNER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.History;
import io.lockstep.store.log.Start;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A disk that does not give some bytes: below the newest snapshot nobody needs them. */
class UnreadableFilesTest {
  private static final int PAGE = PatchyReads.PAGE_BYTES;
  private static final int OLDER = 20;
  private static final int NEWER = 30;

  private final List<Decision> history = new ArrayList<>();
  private final LogFixture.Steps steps = new LogFixture.Steps();
  private SimulatedDisk disk = new SimulatedDisk(new Random(1));
  private int segmentBytes = 8 << 10;

  /** Decisions of a kilobyte, so that a segment has several pages. */
  @BeforeEach
  void makeHistory() {
    Random random = new Random(5);
    Decision last = Decision.NONE;
    for (int i = 0; i < 40; i++) {
      byte[] value = new byte[900 + random.nextInt(200)];
      random.nextBytes(value);
      last = History.next(last, 1, value);
      history.add(last);
    }
  }

  private DiskLog open() throws IOException {
    return DiskLog.openStepped(disk.open(), OWNER, options(), failure -> {}, step -> {});
  }

  private DiskLogOptions options() {
    return new DiskLogOptions(segmentBytes, 1024, 1024, 1 << 20, 512, 0, new Random(2)::nextLong);
  }

  private void makeLog() throws IOException {
    disk = new SimulatedDisk(new Random(1));
    try (DiskLog log = steps.open(disk.open(), options())) {
      log.markJoined();
      for (Decision decision : history) {
        log.append(decision);
        steps.run();
        if (decision.instance() == OLDER || decision.instance() == NEWER) {
          LogFixture.snapshot(log.newSnapshot(decision), decision);
        }
      }
    }
  }

  private void makeLogOfOneSegment() throws IOException {
    segmentBytes = 1 << 20;
    makeLog();
  }

  private String contents() throws IOException {
    try (DiskLog log = open()) {
      return LogFixture.contents(log);
    }
  }

  private List<String> setAside() {
    return disk.files().stream().filter(name -> name.startsWith("set-aside")).toList();
  }

  private Map<String, String> files() {
    Map<String, String> files = new TreeMap<>();
    for (String name : disk.files()) {
      files.put(name, new String(disk.bytes(name), StandardCharsets.ISO_8859_1));
    }
    return files;
  }

  private void expectRefusalThatChangesNothing(String file) {
    Map<String, String> before = files();
    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> assertThat(refused.reason()).isEqualTo(RefusedException.Reason.UNREADABLE))
        .hasMessageContaining("simulated/" + file + " at offset ")
        .hasMessageContaining("it cannot be read: Input/output error");
    assertThat(files()).isEqualTo(before);
  }

  /** The last segment that begins with this instance or before. */
  private String segmentOf(long instance) {
    return disk.files().stream()
        .filter(
            name -> name.startsWith("log-") && name.compareTo(FileNames.segment(0, instance)) <= 0)
        .reduce((before, after) -> after)
        .orElseThrow();
  }

  @Test
  void segmentBelowTheNewestSnapshotIsSetAside() throws IOException {
    makeLog();
    String whole = contents();
    String below = segmentOf(OLDER + 1);
    assertThat(below).isNotEqualTo(segmentOf(NEWER));
    disk.failReads(below, 0, Long.MAX_VALUE);
    try (DiskLog log = open()) {
      assertThat(LogFixture.contents(log)).isEqualTo(whole);
      assertThat(log.setAside()).contains(FileNames.setAside(1, below));
    }
    assertThat(contents()).isEqualTo(whole);
  }

  @Test
  void segmentBehindTheNewestSnapshotIsTriedAgain() throws IOException {
    makeLog();
    String whole = contents();
    String behind = segmentOf(NEWER + 9);
    assertThat(behind).isNotEqualTo(segmentOf(NEWER));
    disk.failReads(behind, 2 * PAGE, 3 * PAGE);
    expectRefusalThatChangesNothing(behind);
    disk.readAll();
    assertThat(contents()).isEqualTo(whole);
  }

  /** Where the record behind a snapshot begins; the last byte that counts is that of the last. */
  private long beginOf(long instance) throws IOException {
    try (Segment segment = Segment.open(disk.open(), segmentOf(instance))) {
      RecordReader.ValidRecord found =
          segment
              .readerOfAll()
              .skipTo(
                  record -> record.decision() != null && record.decision().instance() == instance);
      return found == null ? -1 : found.offset();
    }
  }

  @Test
  void everyPageOfTheSegmentWithTheSnapshotIsMadeUpForOrTriedAgain() throws IOException {
    makeLogOfOneSegment();
    String whole = contents();
    SimulatedDisk good = disk;
    String segment = segmentOf(NEWER);
    long behind = beginOf(NEWER + 1);
    int madeUpFor = 0;
    int refused = 0;
    for (long page = 0; page < good.bytes(segment).length; page += PAGE) {
      disk = good.copy();
      disk.failReads(segment, page, page + PAGE);
      if (page > 0 && page + PAGE <= behind) {
        assertThat(contents()).as("page at %s", page).isEqualTo(whole);
        assertThat(setAside()).as("page at %s", page).contains(FileNames.setAside(1, segment));
        madeUpFor++;
      } else {
        expectRefusalThatChangesNothing(segment);
        refused++;
      }
      disk.readAll();
      assertThat(contents()).as("read again, page at %s", page).isEqualTo(whole);
    }
    assertThat(madeUpFor).isGreaterThan(5);
    assertThat(refused).isGreaterThan(2);
  }

  @Test
  void onlySoManyPagesAreTried() throws IOException {
    segmentBytes = 1 << 26;
    Decision large = History.next(Decision.NONE, 1, new byte[PAGE * 300]);
    Decision second = History.next(large, 1, new byte[PAGE * 300]);
    history.clear();
    history.addAll(List.of(large, second));
    disk = new SimulatedDisk(new Random(1));
    try (DiskLog log = steps.open(disk.open(), options())) {
      LogFixture.append(log, history);
      LogFixture.snapshot(log.newSnapshot(second), second);
    }
    SimulatedDisk good = disk.copy();
    String whole = contents();
    String segment = segmentOf(0);
    disk.failReads(segment, PAGE, PAGE * (PatchyReads.MOST_UNREADABLE_PAGES + 1L));
    assertThat(contents()).isEqualTo(whole);
    disk = good;
    disk.failReads(segment, PAGE, PAGE * (PatchyReads.MOST_UNREADABLE_PAGES + 2L));
    expectRefusalThatChangesNothing(segment);
  }

  @Test
  void olderSnapshotIsSetAside() throws IOException {
    makeLog();
    String whole = contents();
    String older = FileNames.snapshot(0, OLDER);
    disk.failReads(older, 0, Long.MAX_VALUE);
    assertThat(contents()).isEqualTo(whole);
    assertThat(setAside()).contains(FileNames.setAside(1, older));
  }

  @Test
  void newestSnapshotIsMadeUpForByTheOlderOneAndTheLog() throws IOException {
    makeLog();
    disk.failReads(FileNames.snapshot(0, NEWER), 0, 1);
    try (DiskLog log = open()) {
      assertThat(log.last().instance()).isEqualTo(39);
      assertThat(Objects.requireNonNull(LogFixture.snapshotAt(log)).instance()).isEqualTo(OLDER);
      assertThat(LogFixture.all(log, OLDER)).hasSize(39 - OLDER);
    }
  }

  /** The decisions before it are missing, but only because it could not be read. */
  @Test
  void onlySnapshotIsTriedAgain() throws IOException {
    makeLog();
    disk.remove(FileNames.snapshot(0, OLDER));
    String whole = contents();
    disk.failReads(FileNames.snapshot(0, NEWER), 0, 1);
    expectRefusalThatChangesNothing(FileNames.snapshot(0, NEWER));
    disk.readAll();
    assertThat(contents()).isEqualTo(whole);
  }

  /** Whichever of the two copies it is: the file is written anew, so the next start is whole. */
  @Test
  void unreadableCopyInATwinFileIsWrittenAnewFromTheOther() throws IOException {
    for (String file : List.of(FileNames.PROMISE, FileNames.STARTS)) {
      for (long place : new long[] {0, TwinFile.PLACE_BYTES}) {
        makeLogWithPromiseAndStarts();
        String whole = contents();
        disk.failReads(file, place, place + TwinFile.PLACE_BYTES);
        assertThat(LogVerifier.verify(disk.open()).damages())
            .as("%s at %s", file, place)
            .extracting(Damage::file)
            .contains(file);
        for (int start = 0; start < 2; start++) {
          try (DiskLog log = open()) {
            assertThat(log.regency()).isEqualTo(6);
            assertThat(log.start(2)).isEqualTo(new Start(7, 77));
            assertThat(LogFixture.contents(log)).isEqualTo(whole);
          }
        }
        assertThat(LogVerifier.verify(disk.open()).damages()).as("%s at %s", file, place).isEmpty();
      }
    }
  }

  @Test
  void twinFileOfWhichNoCopyCanBeReadIsTriedAgain() throws IOException {
    for (String file : List.of(FileNames.PROMISE, FileNames.STARTS)) {
      makeLogWithPromiseAndStarts();
      String whole = contents();
      byte[] bytes = disk.bytes(file);
      bytes[30] ^= 1;
      disk.replace(file, bytes);
      disk.failReads(file, TwinFile.PLACE_BYTES, Long.MAX_VALUE);
      expectRefusalThatChangesNothing(file);
      disk.readAll();
      assertThat(contents()).isEqualTo(whole);
    }
  }

  /** The machine loses power while the file is written anew, at each step of that. */
  @Test
  void crashWhileATwinFileIsWrittenAnewLosesNothing() throws IOException {
    for (int steps = 0; steps < 12; steps++) {
      makeLogWithPromiseAndStarts();
      disk.failReads(FileNames.PROMISE, 0, 1);
      disk.failReads(FileNames.STARTS, TwinFile.PLACE_BYTES, Long.MAX_VALUE);
      int[] left = {steps};
      disk.setFaults(
          (operation, file) -> {
            if (left[0]-- <= 0) {
              throw new IOException("killed");
            }
          });
      try {
        open().close();
      } catch (IOException killed) {
        // Or it was not reached.
      }
      disk.crash();
      try (DiskLog log = open()) {
        assertThat(log.regency()).as("after %s steps", steps).isEqualTo(6);
        assertThat(log.start(2)).as("after %s steps", steps).isEqualTo(new Start(7, 77));
      }
    }
  }

  private void makeLogWithPromiseAndStarts() throws IOException {
    makeLog();
    try (DiskLog log = open()) {
      log.promise(6);
      log.keepStart(2, new Start(7, 77));
    }
  }

  @Test
  void verifierNamesWhatItCannotRead() throws IOException {
    makeLog();
    String segment = segmentOf(OLDER + 1);
    String snapshot = FileNames.snapshot(0, OLDER);
    disk.failReads(segment, 100, 101);
    disk.failReads(snapshot, 0, 1);
    assertThat(LogVerifier.verify(disk.open()).damages())
        .extracting(Damage::file)
        .contains(segment, snapshot);
  }
}
