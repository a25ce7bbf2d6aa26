package io.lockstep.store.log.disk;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.History;
import io.lockstep.store.log.disk.PromiseFile.Promise;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A data directory and a backup with known contents, as today's program writes them, and those that
 * were kept of every format version, in {@code format-VERSION} of the test resources. A kept one is
 * never written again: what it holds is on somebody's disk.
 *
 * <p>After {@link FileHeader#VERSION} was raised, {@code mvn test -pl datastore -Dtest=FormatTest
 * -Dlockstep.format.write=true} writes the sample of the new version beside those before.
 */
final class FormatSample {
  static final Identity OWNER = new Identity("sample", 1);
  static final String BACKUP = "backup";

  /** Joined, changed three times; of a log that started over twice. */
  static final Promise PROMISE = new Promise(OWNER, 3, true, 7, Promise.NOTHING_TO_CUT);

  private static final int GENERATION = 2;

  /** Instances 0 to 11, of regencies 3 to 6; the first three are only in the older state. */
  static final List<Decision> DECISIONS = decisions();

  static final int OLDER_SNAPSHOT = 2;
  static final int NEWER_SNAPSHOT = 6;

  /** The data directory's files begin with this. */
  private static final String DATA = "data/";

  private static final Path KEPT =
      Path.of("src", "test", "resources", "io", "lockstep", "store", "log", "disk");

  private FormatSample() {}

  private static List<Decision> decisions() {
    List<Decision> made = new ArrayList<>();
    Decision last = Decision.NONE;
    for (int instance = 0; instance < 12; instance++) {
      byte[] value = new byte[7 * (instance - 8) * (instance - 8)];
      for (int at = 0; at < value.length; at++) {
        value[at] = (byte) (31 * instance + at);
      }
      last = History.next(last, 3 + instance / 3, value);
      made.add(last);
    }
    return List.copyOf(made);
  }

  /** The state after a decision. */
  static byte[] state(int instance) {
    byte[] state = new byte[200 + instance];
    for (int at = 0; at < state.length; at++) {
      state[at] = (byte) (instance + 5 * at);
    }
    return state;
  }

  /** By path; the same bytes each time. */
  static Map<String, byte[]> written() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(new Random(1));
    Storage data = disk.open();
    PromiseFile.create(data, PROMISE);
    snapshot(data, OLDER_SNAPSHOT);
    snapshot(data, NEWER_SNAPSHOT);
    segments(data);
    SimulatedDisk other = new SimulatedDisk(new Random(1));
    Backup.write(data, other.open(), BACKUP);
    Map<String, byte[]> files = new TreeMap<>();
    disk.files().forEach(name -> files.put(DATA + name, disk.bytes(name)));
    files.put(BACKUP, other.bytes(BACKUP));
    return files;
  }

  private static void snapshot(Storage to, int instance) throws IOException {
    SnapshotHeader header = new SnapshotHeader(OWNER, GENERATION, DECISIONS.get(instance));
    SnapshotWriter writer = new SnapshotWriter(to, header, 0);
    byte[] state = state(instance);
    writer.write(state, 0, state.length);
    writer.complete();
    writer.close();
    to.rename(writer.temporary(), writer.name());
  }

  /** Two segments, with groups of one decision and of more, marks, and zeros at the end. */
  private static void segments(Storage to) throws IOException {
    Iterator<Long> salts = List.of(0x0123_4567_89ab_cdefL, 0xfedc_ba98_7654_3210L).iterator();
    int first = OLDER_SNAPSHOT + 1;
    Segment.Header header =
        new Segment.Header(
            OWNER,
            GENERATION,
            first,
            DECISIONS.get(OLDER_SNAPSHOT).chain(),
            Segments.salt(salts::next));
    try (Segments segments =
        new Segments(to, salts::next, List.of(Segments.create(to, header)), 600, 256)) {
      segments.write(DECISIONS.subList(first, 4), first);
      segments.write(DECISIONS.subList(4, 6), 4);
      segments.mark(6);
      segments.write(DECISIONS.subList(6, 9), 6);
      segments.write(DECISIONS.subList(9, 10), 9);
      segments.write(DECISIONS.subList(10, 12), 9);
      segments.mark(12);
      segments.force();
    }
  }

  /** What was kept of a version, by path. */
  static Map<String, byte[]> kept(int version) throws IOException {
    Path sample = sample(version);
    if (!Files.isDirectory(sample)) {
      throw new AssertionError(
          "there is no sample of format version "
              + version
              + "; FormatSample says how to write it");
    }
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(sample)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(sample.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
      }
    }
    return files;
  }

  private static Path sample(int version) {
    return KEPT.resolve("format-" + version);
  }

  /** Keeps today's as that of {@link FileHeader#VERSION}; fails where there is one. */
  static void keep() throws IOException {
    Path sample = sample(FileHeader.VERSION);
    if (Files.exists(sample)) {
      throw new FileAlreadyExistsException(
          sample.toString(), null, "a sample that was kept is never written again");
    }
    copy(written(), "", sample);
  }

  /** Makes the data directory of a version. */
  static void data(int version, Path directory) throws IOException {
    copy(kept(version), DATA, directory);
  }

  private static void copy(Map<String, byte[]> files, String prefix, Path to) throws IOException {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      if (file.getKey().startsWith(prefix)) {
        Path path = to.resolve(file.getKey().substring(prefix.length()));
        Files.createDirectories(Objects.requireNonNull(path.getParent()));
        Files.write(path, file.getValue(), StandardOpenOption.CREATE_NEW);
      }
    }
  }
}
