package io.lockstep.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** The directory of one run: configuration and logs; kept where the run failed. */
public record RunDirectory(Path path) {

  /** A new directory among the system's temporary files. */
  public static RunDirectory create(String benchmark) throws IOException {
    return new RunDirectory(Files.createTempDirectory("lockstep-bench-" + benchmark + "-"));
  }

  /** Removes all that is in it. */
  public void empty() throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        if (!file.equals(path)) {
          Files.delete(file);
        }
      }
    }
  }

  /** Removes it and all that is in it. */
  public void remove() throws IOException {
    empty();
    Files.delete(path);
  }
}
