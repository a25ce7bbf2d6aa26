package io.lockstep.bench.history.nemesis;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The replicas' data directories. One of them can be filled: it is a small file system of its own
 * where this process may mount one; else the system forbids its replica to write. Used by one
 * thread.
 */
public final class Disks implements AutoCloseable {
  private static final int SMALL_MEGABYTES = 96;
  private static final int MOUNT_SECONDS = 20;
  private static final String FILLER = "filler";

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
  private final int victim;
  private final boolean mounted;

  /**
   * Makes the directories.
   *
   * @param root of all of them; null where replicas keep their state in memory
   * @param victim whose disk can fail, or -1
   * @throws IOException also where it is to be filled and cannot be
   */
  public Disks(@Nullable Path root, int victim, Method method)
      throws IOException, InterruptedException {
    this.root = root;
    this.victim = victim;
    if (root == null) {
      this.mounted = false;
      return;
    }
    for (int id = 0; id < Cluster.SIZE; id++) {
      Files.createDirectories(directory(id));
    }
    this.mounted =
        victim >= 0
            && method != Method.LIMIT
            && run(
                "mount",
                "-t",
                "tmpfs",
                "-o",
                "size=" + SMALL_MEGABYTES + "m",
                "lockstep-history",
                directory(victim).toString());
    if (victim >= 0 && method == Method.FILL && !mounted) {
      throw new IOException("cannot mount a file system at " + directory(victim));
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
    if (root == null) {
      throw new IllegalStateException("the replicas keep their state in memory");
    }
    return root.resolve("replica-" + id);
  }

  /** Whose disk can be filled. */
  int victim() {
    return victim;
  }

  /** How the victim's disk fails: {@code fill}, {@code limit}, or {@code none}. */
  public String label() {
    return victim < 0 ? "none" : mounted ? "fill" : "limit";
  }

  /** Whether that is done by {@link #fill}, and not by a limit on the replica's process. */
  boolean canFill() {
    return mounted;
  }

  /** Fills the victim's disk to the last byte. */
  void fill() throws IOException {
    byte[] zeros = new byte[1 << 16];
    for (int size = zeros.length; size > 0; size /= 16) {
      try (OutputStream out = Files.newOutputStream(filler(size))) {
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
  void free() throws IOException {
    for (int size = 1 << 16; size > 0; size /= 16) {
      Files.deleteIfExists(filler(size));
    }
  }

  private Path filler(int size) {
    return directory(victim).resolve(FILLER + "-" + size);
  }

  /** Forgets all that a replica has kept. */
  void wipe(int id) throws IOException {
    if (root != null) {
      clear(directory(id));
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

  /** Takes the small file system away, and what is in it. Any thread. */
  @Override
  public void close() {
    if (mounted) {
      try {
        run("umount", "-l", directory(victim).toString());
      } catch (IOException e) {
        throw new UncheckedIOException("cannot unmount " + directory(victim), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
