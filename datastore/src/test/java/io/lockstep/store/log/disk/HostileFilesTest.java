package io.lockstep.store.log.disk;

import static io.lockstep.store.log.disk.LogFixture.OWNER;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.History;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every byte of a small log flipped, every file cut at every length: never silently different. */
class HostileFilesTest {
  private final SimulatedDisk disk = new SimulatedDisk(new Random(1));
  private final LogFixture.Steps steps = new LogFixture.Steps();
  private String contents = "";
  private String refusal = "";

  private static DiskLogOptions tiny() {
    return new DiskLogOptions(600, 64, 200, 4096, 1 << 20, 0, new Random(2)::nextLong);
  }

  private DiskLog open(SimulatedDisk from) throws IOException {
    return DiskLog.openStepped(from.open(), OWNER, tiny(), failure -> {}, step -> {});
  }

  /** Two snapshots, some segments, a clean end. */
  @BeforeEach
  void makeLog() throws IOException {
    List<Decision> added = History.after(Decision.NONE, 14, 60, 5);
    try (DiskLog log = steps.open(disk.open(), tiny())) {
      log.promise(6);
      log.markJoined();
      for (Decision decision : added) {
        log.append(decision);
        steps.run();
        if (decision.instance() == 4 || decision.instance() == 8) {
          LogFixture.snapshot(log.newSnapshot(decision), decision);
        }
      }
    }
    try (DiskLog log = open(disk.copy())) {
      contents = LogFixture.contents(log);
    }
    assertThat(LogVerifier.verify(disk.open()).good()).isTrue();
    assertThat(disk.files()).filteredOn(name -> name.startsWith("log-")).hasSizeGreaterThan(1);
    assertThat(disk.files()).filteredOn(name -> name.startsWith("snapshot-")).hasSize(2);
  }

  private interface Judge {
    void check(DiskLog log, String where) throws IOException;
  }

  /** Whether the log opened. */
  private boolean opens(SimulatedDisk damaged, String where, Judge judge) throws IOException {
    try (DiskLog log = open(damaged)) {
      judge.check(log, where);
      return true;
    } catch (RefusedException refused) {
      assertThat(refused.getMessage()).as(where).isNotBlank();
      refusal = String.valueOf(refused.getMessage());
      return false;
    }
  }

  @Test
  void noFlippedByteIsAcceptedAsSomethingElse() throws IOException {
    int refused = 0;
    int madeUpFor = 0;
    for (String name : disk.files()) {
      byte[] bytes = disk.bytes(name);
      for (int at = 0; at < bytes.length; at++) {
        SimulatedDisk damaged = disk.copy();
        byte[] flipped = bytes.clone();
        flipped[at] ^= (byte) (1 << (at % 8));
        damaged.replace(name, flipped);
        String where = name + " byte " + at;
        boolean opened =
            opens(
                damaged,
                where,
                (log, place) -> {
                  // A damaged snapshot is made up for by the older one and the longer log.
                  if (name.endsWith("8") && name.startsWith("snapshot-")) {
                    assertThat(History.text(log.last())).isEqualTo(lastText());
                    assertThat(LogFixture.snapshotAt(log)).isNotNull();
                  } else {
                    assertThat(LogFixture.contents(log)).as(place).isEqualTo(contents);
                  }
                });
        refused += opened ? 0 : 1;
        madeUpFor += opened ? 1 : 0;
      }
    }
    assertThat(refused).isGreaterThan(500);
    assertThat(madeUpFor).isGreaterThan(500);
  }

  private String lastText() throws IOException {
    try (DiskLog log = open(disk.copy())) {
      return History.text(log.last());
    }
  }

  @Test
  void verifierNamesEveryFlippedByteThatCounts() throws IOException {
    int promiseBytes = new PromiseFile.Promise(OWNER, 0, true, 6, 0).encode().length;
    for (String name : disk.files()) {
      byte[] bytes = disk.bytes(name);
      for (int at = 0; at < bytes.length; at += 3) {
        if (name.equals("promise") && at % 4096 >= promiseBytes) {
          continue;
        }
        SimulatedDisk damaged = disk.copy();
        byte[] flipped = bytes.clone();
        flipped[at] ^= 0x10;
        damaged.replace(name, flipped);
        try {
          LogVerifier.Report report = LogVerifier.verify(damaged.open());
          boolean told = report.damages().stream().anyMatch(damage -> damage.file().equals(name));
          boolean end = report.torn() != null;
          assertThat(told || end || beyondEnd(name, at)).as("%s byte %s", name, at).isTrue();
        } catch (RefusedException newerVersion) {
          assertThat(newerVersion.reason()).isEqualTo(RefusedException.Reason.NEWER_FORMAT);
        }
      }
    }
  }

  /** Zeros behind the last mark, or that mark. */
  private boolean beyondEnd(String name, int at) throws IOException {
    byte[] bytes = disk.bytes(name);
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] == 0) {
      end--;
    }
    return name.startsWith("log-") && at >= end - Records.MARK_BYTES;
  }

  @Test
  void cutFilesAreRefusedOrAreAPrefix() throws IOException {
    for (String name : disk.files()) {
      byte[] bytes = disk.bytes(name);
      for (int length = 0; length < bytes.length; length++) {
        SimulatedDisk damaged = disk.copy();
        damaged.replace(name, Arrays.copyOf(bytes, length));
        opens(
            damaged,
            name + " cut to " + length,
            (log, where) -> {
              long from = log.latestSnapshot() == null ? -1 : 4;
              List<String> known = History.texts(History.after(Decision.NONE, 14, 60, 5));
              List<Decision> kept = LogFixture.all(log, Math.min(from, log.last().instance()));
              for (Decision decision : kept) {
                assertThat(History.text(decision))
                    .as(where)
                    .isEqualTo(known.get((int) decision.instance()));
              }
              assertThat(log.regency()).as(where).isEqualTo(6);
              assertThat(log.joined()).as(where).isTrue();
            });
      }
    }
  }

  @Test
  void everyFileOfANewerFormatIsRefused() throws IOException {
    for (String name : disk.files()) {
      SimulatedDisk future = disk.copy();
      byte[] bytes = disk.bytes(name);
      ByteBuffer.wrap(bytes).putInt(8, 2);
      future.replace(name, bytes);
      assertThat(opens(future, name, (log, where) -> {})).as(name).isFalse();
    }
  }

  @Test
  void bytesThatLookLikeRecordsAreNotTakenForSuch() throws IOException {
    // A value that contains a mark which claims that everything was durable, and a torn end.
    ByteBuffer forged = ByteBuffer.allocate(400);
    for (int i = 0; i < 10; i++) {
      Records.putMark(forged, 1_000, 12345, i * 40L);
    }
    Decision last;
    try (DiskLog log = steps.open(disk.open(), tiny())) {
      last = log.last();
    }
    String newest =
        disk.files().stream().filter(name -> name.startsWith("log-")).reduce((a, b) -> b).get();
    byte[] bytes = disk.bytes(newest);
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 400);
    System.arraycopy(forged.array(), 0, longer, bytes.length, 400);
    disk.replace(newest, longer);
    try (DiskLog log = steps.open(disk.open(), tiny())) {
      assertThat(History.text(log.last())).isEqualTo(History.text(last));
    }
  }

  // ---------------------------------------------------------------- one segment

  /** One segment, two snapshots amid it. */
  private SimulatedDisk oneSegment() throws IOException {
    return oneSegment(14);
  }

  private SimulatedDisk oneSegment(int decisions) throws IOException {
    SimulatedDisk one = new SimulatedDisk(new Random(3));
    DiskLogOptions large = new DiskLogOptions(1 << 20, 64, 200, 4096, 1 << 20, 0, () -> 77);
    try (DiskLog log = steps.open(one.open(), large)) {
      log.markJoined();
      for (Decision decision : History.after(Decision.NONE, decisions, 60, 5)) {
        log.append(decision);
        steps.run();
        if (decision.instance() == 4 || decision.instance() == 8) {
          LogFixture.snapshot(log.newSnapshot(decision), decision);
        }
      }
    }
    return one;
  }

  private static String segment(SimulatedDisk of) {
    return of.files().stream().filter(name -> name.startsWith("log-")).findFirst().orElseThrow();
  }

  /** Where a segment's header ends, and where the record of an instance begins. */
  private static long[] records(SimulatedDisk of, long instance) throws IOException {
    try (Segment segment = Segment.open(of.copy().open(), segment(of))) {
      RecordReader reader = segment.readerOfAll();
      long begin = reader.position();
      RecordReader.ValidRecord found =
          reader.skipTo(
              record -> record.decision() != null && record.decision().instance() == instance);
      return new long[] {begin, found == null ? -1 : found.offset()};
    }
  }

  @Test
  void damageBelowTheNewestSnapshotIsSetAsideAndDamageAboveIsRefused() throws IOException {
    SimulatedDisk one = oneSegment();
    String name = segment(one);
    byte[] bytes = one.bytes(name);
    String whole;
    try (DiskLog log = open(one.copy())) {
      whole = LogFixture.contents(log);
      assertThat(log.setAside()).isEmpty();
    }
    long[] below = records(one, 9);
    long[] last = records(one, 13);
    for (int at = (int) below[0]; at < last[1]; at++) {
      SimulatedDisk damaged = one.copy();
      byte[] flipped = bytes.clone();
      flipped[at] ^= (byte) (1 << (at % 8));
      damaged.replace(name, flipped);
      String where = "byte " + at;
      boolean opened =
          opens(damaged, where, (log, w) -> assertThat(LogFixture.contents(log)).isEqualTo(whole));
      if (at < below[1]) {
        assertThat(opened).as(where + " of " + below[1] + ": " + refusal).isTrue();
      }
      boolean changed = damaged.files().stream().anyMatch(file -> file.startsWith("set-aside"));
      if (opened && changed) {
        String aside = FileNames.setAside(1, name);
        assertThat(damaged.bytes(aside)).as(where + ": kept as it is").isEqualTo(flipped);
        try (DiskLog again = open(damaged)) {
          assertThat(LogFixture.contents(again)).as(where + ", opened again").isEqualTo(whole);
          assertThat(again.setAside()).as("nothing new").isEmpty();
        }
      } else if (!opened) {
        assertThat(damaged.bytes(name)).as(where + ": refused, unchanged").isEqualTo(flipped);
      }
    }
  }

  /** All of the header but its version and its salt is known otherwise. */
  @Test
  void damagedHeaderOfTheSegmentWithTheSnapshotIsMadeUpForWhereItsSaltIsWhole() throws IOException {
    for (int decisions : new int[] {14, 9}) {
      SimulatedDisk one = oneSegment(decisions);
      String name = segment(one);
      byte[] bytes = one.bytes(name);
      String whole;
      try (DiskLog log = open(one.copy())) {
        whole = LogFixture.contents(log);
      }
      int header = (int) records(one, 9)[0];
      int opened = 0;
      for (int at = 0; at < header; at++) {
        SimulatedDisk damaged = one.copy();
        byte[] flipped = bytes.clone();
        flipped[at] ^= (byte) (1 << (at % 8));
        damaged.replace(name, flipped);
        boolean version = at >= Long.BYTES && at < Long.BYTES + Integer.BYTES;
        boolean salt = at >= header - 12 && at < header - 4;
        String where = "byte " + at + " of " + header;
        boolean opens =
            opens(
                damaged, where, (log, w) -> assertThat(LogFixture.contents(log)).isEqualTo(whole));
        assertThat(opens).as(where).isEqualTo(!version && !salt);
        assertThat(damaged.files().contains(FileNames.setAside(1, name))).isEqualTo(opens);
        opened += opens ? 1 : 0;
      }
      assertThat(opened).isGreaterThan(50);
    }
  }

  @Test
  void whatWasSetAsideIsNamed() throws IOException {
    SimulatedDisk one = oneSegment();
    String name = segment(one);
    byte[] bytes = one.bytes(name);
    bytes[(int) records(one, 3)[1] + 20] ^= 1;
    one.replace(name, bytes);
    try (DiskLog log = open(one)) {
      assertThat(log.setAside()).containsExactly(FileNames.setAside(1, name));
      log.append(History.after(log.last(), 1, 60, 5).get(0));
      assertThat(log.last().instance()).isEqualTo(14);
    }
  }

  /** Wherever a crash interrupts it, the next start goes on. */
  @Test
  void crashWhileDamageIsSetAsideLosesNothing() throws IOException {
    SimulatedDisk one = oneSegment();
    String name = segment(one);
    byte[] bytes = one.bytes(name);
    String whole;
    try (DiskLog log = open(one.copy())) {
      whole = LogFixture.contents(log);
    }
    bytes[(int) records(one, 2)[1] + 20] ^= 1;
    one.replace(name, bytes);
    int crashes = 0;
    boolean through = false;
    while (!through) {
      int most = crashes;
      int[] operations = {0};
      SimulatedDisk crashing = one.copy();
      crashing.setFaults(
          (operation, file) -> {
            if (operations[0]++ >= most) {
              throw new IOException("crash at " + operation + " " + file);
            }
          });
      try (DiskLog log = open(crashing)) {
        through = true;
        assertThat(LogFixture.contents(log)).isEqualTo(whole);
      } catch (IOException crash) {
        assertThat(crash).isNotInstanceOf(RefusedException.class);
        crashes++;
      }
      crashing.crash();
      try (DiskLog log = open(crashing)) {
        assertThat(LogFixture.contents(log)).as("after %s operations", most).isEqualTo(whole);
      }
    }
    assertThat(crashes).isGreaterThan(5);
  }

  /** Nothing is damaged there, but the two do not go together: which one is right is not known. */
  @Test
  void snapshotThatIsNotOfTheSegmentsHistoryDoesNotTakeItsPlace() throws IOException {
    SimulatedDisk one = new SimulatedDisk(new Random(3));
    SimulatedDisk other = new SimulatedDisk(new Random(3));
    for (SimulatedDisk made : List.of(one, other)) {
      List<Decision> history = History.after(Decision.NONE, 5, 60, made == one ? 5 : 6);
      DiskLogOptions large = new DiskLogOptions(1 << 20, 64, 200, 4096, 1 << 20, 0, () -> 77);
      try (DiskLog log = steps.open(made.open(), large)) {
        log.markJoined();
        for (Decision decision : history) {
          log.append(decision);
          steps.run();
        }
        LogFixture.snapshot(log.newSnapshot(history.get(4)), history.get(4));
      }
    }
    String snapshot = FileNames.snapshot(0, 4);
    one.replace(snapshot, other.bytes(snapshot));
    assertThat(opens(one, "swapped", (log, where) -> {})).isFalse();
  }
}
