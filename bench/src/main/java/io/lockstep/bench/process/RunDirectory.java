package io.lockstep.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The directory of one run: configuration and logs; kept where the run failed. */
public record RunDirectory(Path path) {

  /** A new directory among the system's temporary files. */
  public static RunDirectory create(String benchmark) throws IOException {
    return new RunDirectory(Files.createTempDirectory("lockstep-bench-" + benchmark + "-"));
  }

  /** Removes it and the files in it. */
  public void remove() throws IOException {
    try (var files = Files.list(path)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(path);
  }
}
