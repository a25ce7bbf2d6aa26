package io.lockstep.deploy.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A directory for one run, below {@code XDG_RUNTIME_DIR} or {@code /tmp}. Closing it removes it and
 * all that is in it. Used by one thread, except for {@link #keep}.
 */
public final class RunDirectory implements AutoCloseable {
  private final Path path;
  private volatile boolean kept;

  private RunDirectory(Path path) {
    this.path = path;
  }

  /** A new directory; {@code prefix} begins its name. */
  public static RunDirectory create(String prefix) throws IOException {
    String runtime = System.getenv("XDG_RUNTIME_DIR");
    Path base = Path.of(runtime == null ? System.getProperty("java.io.tmpdir", "/tmp") : runtime);
    if (!Files.isWritable(base)) {
      base = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
    }
    return new RunDirectory(Files.createTempDirectory(base, prefix));
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /** Leaves the directory where it is. */
  public void keep() {
    kept = true;
  }

  @Override
  public void close() {
    if (kept || !Files.exists(path)) {
      return;
    }
    try (Stream<Path> below = Files.walk(path)) {
      List<Path> all = below.sorted(Comparator.reverseOrder()).toList();
      for (Path each : all) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("removing " + path, e);
    }
  }
}
