package io.lockstep.bench.runs;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Runs a command line, and prints a failure as one line unless it is a defect. */
public final class BenchCommandLine {
  private BenchCommandLine() {}

  /**
   * Runs one benchmark.
   *
   * @param root the command that has the benchmarks as subcommands
   * @return the exit code: 0 done, 1 failed, 2 wrong usage
   */
  public static int run(Object root, String... arguments) {
    CommandLine line = new CommandLine(root);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setExecutionExceptionHandler(
        (failure, commandLine, result) -> {
          commandLine.getErr().println("lockstep bench: " + explain(failure));
          return CommandLine.ExitCode.SOFTWARE;
        });
    return line.execute(arguments);
  }

  private static String explain(Exception failure) {
    if (failure instanceof BenchException) {
      return String.valueOf(failure.getMessage());
    }
    StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace));
    return "unexpected: " + trace;
  }
}
