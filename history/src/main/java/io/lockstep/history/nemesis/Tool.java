package io.lockstep.history.nemesis;

import io.lockstep.bench.runs.ToolProcess;
import java.io.IOException;
import java.util.List;

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
    return ToolProcess.run(command, PATIENCE_SECONDS);
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
