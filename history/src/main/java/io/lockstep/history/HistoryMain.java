package io.lockstep.history;

import io.lockstep.bench.runs.BenchCommandLine;
import picocli.CommandLine.Command;

/**
 * The entry point of {@code bench history} alone: a run starts it again inside a network namespace.
 */
@Command(name = "lockstep bench", subcommands = HistoryCommand.class)
public final class HistoryMain {
  private HistoryMain() {}

  /** Runs the command and ends the process: 0 done, 1 failed, 2 wrong usage. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  /** Runs the command, {@code history} with its options, and gives the exit code. */
  public static int run(String... arguments) {
    return BenchCommandLine.run(new HistoryMain(), arguments);
  }
}
