package io.lockstep.bench.history.nemesis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs the system's tools. */
final class Tool {
  private static final int PATIENCE_SECONDS = 20;

  private Tool() {}

  /**
   * Runs a command to its end; words are separated by single spaces.
   *
   * @return what it printed
   * @throws IOException with what it printed, where it is missing, fails or hangs
   */
  static String run(String command) throws IOException, InterruptedException {
    return run(List.of(command.split(" ")));
  }

  /** The same, word by word. */
  static String run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("hangs: " + String.join(" ", command));
    }
    if (process.exitValue() != 0) {
      throw new IOException(String.join(" ", command) + ": " + text.strip());
    }
    return text;
  }

  /** Whether a command ends with 0. */
  static boolean succeeds(String command) throws InterruptedException {
    try {
      run(command);
      return true;
    } catch (IOException failed) {
      return false;
    }
  }
}
