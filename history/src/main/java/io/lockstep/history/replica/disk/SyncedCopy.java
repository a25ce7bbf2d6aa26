package io.lockstep.history.replica.disk;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a disk would hold of a directory after a loss of power: a directory beside it, with the
 * contents that were synced and the names that were. A file is known by a number, since it keeps
 * its contents under a new name: {@code file-NUMBER} holds them, {@code names} says which number a
 * synced name has, and {@code inodes} which file of the live directory has which number.
 *
 * <p>It is changed only after the real sync and before that returns, and survives the end of the
 * process like every file. Whatever a process was doing when it was killed, each byte here is an
 * old one or a new one, as on a disk. Thread-safe.
 */
final class SyncedCopy {
  private static final String NAMES = "names";
  private static final String INODES = "inodes";
  private static final String FILE = "file-";

  private final Path live;
  private final Path side;
  private final Map<String, Long> seen = new TreeMap<>();
  private final Map<Long, Long> inodes = new TreeMap<>();
  private Map<String, Long> synced;
  private long next = 1;

  private SyncedCopy(Path live, Path side) throws IOException {
    this.live = live;
    this.side = side;
    Files.createDirectories(side);
    this.synced = new TreeMap<>(readNames(side.resolve(NAMES)));
  }

  /** The copy of a directory, as processes before have left it. */
  static SyncedCopy open(Path live, Path side) throws IOException {
    SyncedCopy copy = new SyncedCopy(live, side);
    copy.recognise();
    return copy;
  }

  /** Finds the files of earlier processes again; one that is not known was never synced. */
  private void recognise() throws IOException {
    Map<Long, Long> numbers = new HashMap<>();
    readInodes(side.resolve(INODES)).forEach((number, inode) -> numbers.put(inode, number));
    next = 1 + greatest(numbers.values(), synced.values());
    for (String name : files(live)) {
      long inode = inode(name);
      Long known = numbers.get(inode);
      long number = known == null ? next++ : known;
      seen.put(name, number);
      inodes.put(number, inode);
    }
    keepInodes();
  }

  @SafeVarargs
  private static long greatest(Iterable<Long>... all) {
    long greatest = 0;
    for (Iterable<Long> numbers : all) {
      for (long number : numbers) {
        greatest = Math.max(greatest, number);
      }
    }
    return greatest;
  }

  static List<String> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> !name.equals(PowerLoss.LOCK))
          .toList();
    }
  }

  private long inode(String name) throws IOException {
    return (Long) Files.getAttribute(live.resolve(name), "unix:ino");
  }

  /** The number of a file; 0 for one that is none of the log's. */
  synchronized long number(String name) {
    return seen.getOrDefault(name, 0L);
  }

  /** A file was made. */
  synchronized long created(String name) throws IOException {
    long number = next++;
    seen.put(name, number);
    inodes.put(number, inode(name));
    keepInodes();
    return number;
  }

  /** A file got another name. */
  synchronized void renamed(String from, String to) throws IOException {
    Long moved = seen.remove(from);
    Long replaced = moved == null ? seen.remove(to) : seen.put(to, moved);
    forget(replaced);
  }

  /** A file was removed. */
  synchronized void deleted(String name) throws IOException {
    forget(seen.remove(name));
  }

  /** The system may give its inode to another file. */
  private void forget(@Nullable Long number) throws IOException {
    if (number != null) {
      inodes.remove(number);
    }
    keepInodes();
  }

  /** The directory was synced: its names are as they are now. */
  synchronized void directorySynced() throws IOException {
    synced = new TreeMap<>(seen);
    write(side.resolve(NAMES), synced);
    Set<Long> needed = new HashSet<>(synced.values());
    for (String name : files(side)) {
      boolean contents = name.startsWith(FILE);
      if (contents && !needed.contains(Long.parseLong(name.substring(FILE.length())))) {
        Files.delete(side.resolve(name));
      }
    }
  }

  /**
   * The contents of a file were synced.
   *
   * @param at where {@code bytes} are in the file
   * @param length of the whole file
   */
  void contentsSynced(long number, long at, byte[] bytes, long length) throws IOException {
    try (RandomAccessFile to = new RandomAccessFile(contents(side, number).toFile(), "rw")) {
      to.seek(at);
      to.write(bytes);
      to.setLength(length);
    }
  }

  private synchronized void keepInodes() throws IOException {
    Map<String, Long> lines = new TreeMap<>();
    inodes.forEach((number, inode) -> lines.put(Long.toString(number), inode));
    write(side.resolve(INODES), lines);
  }

  private static void write(Path file, Map<String, Long> lines) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.write(
        fresh, lines.entrySet().stream().map(e -> e.getValue() + " " + e.getKey()).toList());
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static Path contents(Path side, long number) {
    return side.resolve(FILE + number);
  }

  /** The synced names of a side directory, with the numbers of their files. */
  static Map<String, Long> names(Path side) throws IOException {
    return readNames(side.resolve(NAMES));
  }

  /** The synced contents of a file. */
  static byte[] bytes(Path side, long number) throws IOException {
    Path file = contents(side, number);
    return Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
  }

  /** The number of every file of the live directory, by name. */
  static Map<String, Long> liveNumbers(Path live, Path side) throws IOException {
    return open(live, side).seen;
  }

  private static Map<String, Long> readNames(Path file) throws IOException {
    Map<String, Long> names = new TreeMap<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        int space = line.indexOf(' ');
        names.put(line.substring(space + 1), Long.parseLong(line.substring(0, space)));
      }
    }
    return names;
  }

  private static Map<Long, Long> readInodes(Path file) throws IOException {
    Map<Long, Long> inodes = new TreeMap<>();
    readNames(file).forEach((number, inode) -> inodes.put(Long.parseLong(number), inode));
    return inodes;
  }
}
