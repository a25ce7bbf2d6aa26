package io.lockstep.history.nemesis;

import io.lockstep.history.replica.disk.PowerLoss;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The replicas' data directories. They can be filled: each is a small file system of its own where
 * this process may mount one; else the system forbids a replica to write. Used by one thread.
 */
public final class Disks implements AutoCloseable {
  private static final int SMALL_MEGABYTES = 96;
  private static final int MOUNT_SECONDS = 20;
  private static final int LOOK_MILLIS = 2;
  private static final String FILLER = "filler";
  private static final String LOCK = "lock";

  /** How a disk is made to fail. */
  public enum Method {
    /** Filled where this process may mount a file system, else limited. */
    AUTO,
    /** A small file system of its own is filled to the last byte. */
    FILL,
    /** A limit on the length of files is set on the process that runs. */
    LIMIT
  }

  private final @Nullable Path root;
  private final boolean fail;
  private final List<Path> mounted = new ArrayList<>();

  /**
   * Makes the directories.
   *
   * @param root of all of them; null where replicas keep their state in memory
   * @param fail whether they are to fail
   * @throws IOException also where they are to be filled and cannot be
   */
  public Disks(@Nullable Path root, boolean fail, Method method)
      throws IOException, InterruptedException {
    this.root = root;
    this.fail = fail;
    if (root == null) {
      return;
    }
    for (int id = 0; id < Cluster.SIZE; id++) {
      Files.createDirectories(directory(id));
    }
    if (fail && method != Method.LIMIT) {
      mountAll(method);
    }
  }

  private void mountAll(Method method) throws IOException, InterruptedException {
    for (int id = 0; id < Cluster.SIZE; id++) {
      String target = directory(id).toString();
      String size = "size=" + SMALL_MEGABYTES + "m";
      if (!run("mount", "-t", "tmpfs", "-o", size, "lockstep-history", target)) {
        close();
        mounted.clear();
        if (method == Method.FILL) {
          throw new IOException("cannot mount a file system at " + target);
        }
        return;
      }
      mounted.add(directory(id));
    }
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.DISCARD)
            .start();
    return process.waitFor(MOUNT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
  }

  /** Whether replicas have disks. */
  boolean durable() {
    return root != null;
  }

  /** Where a replica keeps its log. */
  Path directory(int id) {
    return beside(id, "");
  }

  /** Where it keeps what it has synced. */
  Path synced(int id) {
    return beside(id, ".synced");
  }

  private Path beside(int id, String suffix) {
    if (root == null) {
      throw new IllegalStateException("the replicas keep their state in memory");
    }
    return root.resolve("replica-" + id + suffix);
  }

  /** How disks fail: {@code fill}, {@code limit}, or {@code none}. */
  public String label() {
    return !fail ? "none" : canFill() ? "fill" : "limit";
  }

  /** Whether that is done by {@link #fill}, and not by a limit on the replica's process. */
  boolean canFill() {
    return !mounted.isEmpty();
  }

  /** Fills a replica's disk to the last byte. */
  void fill(int id) throws IOException {
    byte[] zeros = new byte[1 << 16];
    for (int size = zeros.length; size > 0; size /= 16) {
      try (OutputStream out = Files.newOutputStream(filler(id, size))) {
        while (true) {
          out.write(zeros, 0, size);
        }
      } catch (IOException full) {
        if (!String.valueOf(full.getMessage()).contains("No space left")) {
          throw full;
        }
      }
    }
  }

  /** Gives the space back. */
  void free(int id) throws IOException {
    for (int size = 1 << 16; size > 0; size /= 16) {
      Files.deleteIfExists(filler(id, size));
    }
  }

  private Path filler(int id, int size) {
    return directory(id).resolve(FILLER + "-" + size);
  }

  /** Forgets all that a replica has kept. */
  void wipe(int id) throws IOException {
    if (root != null) {
      clear(directory(id));
      PowerLoss.clear(synced(id));
    }
  }

  /** Undoes what a replica, which was killed, had not synced. */
  void losePower(int id, Random random) throws IOException {
    PowerLoss.undo(directory(id), synced(id), random);
  }

  /** Waits until a replica writes a snapshot, or the time is over. */
  void awaitSnapshot(int id, long millis) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (!writesSnapshot(id) && System.nanoTime() - deadline < 0) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  private boolean writesSnapshot(int id) throws IOException {
    try (Stream<Path> files = Files.list(directory(id))) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .anyMatch(name -> name.startsWith("snapshot-") && name.endsWith(".tmp"));
    }
  }

  /** Copies the directory of a replica that does not run. */
  void copy(int id) throws IOException {
    Path old = Files.createDirectories(beside(id, ".old"));
    clear(old);
    copy(directory(id), old);
  }

  /** Where that copy is. */
  Path copied(int id) {
    return beside(id, ".old");
  }

  /** Puts the copy in the directory's place. */
  void putBack(int id) throws IOException {
    wipe(id);
    copy(beside(id, ".old"), directory(id));
  }

  private static void copy(Path from, Path to) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(from)) {
      files = all.filter(file -> !file.endsWith(LOCK)).toList();
    }
    for (Path file : files) {
      Files.copy(file, to.resolve(String.valueOf(file.getFileName())));
    }
  }

  private static void clear(Path directory) throws IOException {
    List<Path> all = new ArrayList<>();
    try (Stream<Path> walk = Files.walk(directory)) {
      walk.filter(path -> !path.equals(directory))
          .sorted(Comparator.reverseOrder())
          .forEach(all::add);
    } catch (UncheckedIOException e) {
      throw new IOException("cannot clear " + directory, e);
    }
    for (Path path : all) {
      Files.deleteIfExists(path);
    }
  }

  /** Takes the small file systems away, and what is in them. Any thread. */
  @Override
  public void close() {
    for (Path target : List.copyOf(mounted)) {
      try {
        run("umount", "-l", target.toString());
      } catch (IOException e) {
        throw new UncheckedIOException("cannot unmount " + target, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
