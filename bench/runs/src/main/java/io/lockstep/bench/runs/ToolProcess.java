package io.lockstep.bench.runs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs a tool of the system to its end, within a time. What it prints goes through a file: a pipe
 * that nobody reads would stop a tool that prints much, and a reader would wait as long as anything
 * that the tool started holds the pipe.
 */
public final class ToolProcess {
  private static final int END_SECONDS = 5;

  private ToolProcess() {}

  /**
   * Runs a command.
   *
   * @return what it printed
   * @throws IOException with what it printed, where it is missing, fails, or has not ended in time;
   *     then it is killed
   */
  public static String run(List<String> command, int patienceSeconds)
      throws IOException, InterruptedException {
    String name = String.join(" ", command);
    Path printed = Files.createTempFile("lockstep-bench-tool-", ".txt");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(printed.toFile())
              .start();
      process.getOutputStream().close();
      try {
        if (!process.waitFor(patienceSeconds, TimeUnit.SECONDS)) {
          throw new IOException(
              name + " has not ended after " + patienceSeconds + " s: " + text(printed).strip());
        }
      } finally {
        process.destroyForcibly().waitFor(END_SECONDS, TimeUnit.SECONDS);
      }
      if (process.exitValue() != 0) {
        throw new IOException(name + ": " + text(printed).strip());
      }
      return text(printed);
    } finally {
      Files.delete(printed);
    }
  }

  private static String text(Path printed) throws IOException {
    return new String(Files.readAllBytes(printed), StandardCharsets.UTF_8);
  }
}
