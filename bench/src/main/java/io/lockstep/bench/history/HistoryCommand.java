package io.lockstep.bench.history;

import io.lockstep.bench.BenchException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench history}: is the store linearizable while its replicas fail? */
@Command(
    name = "history",
    description =
        "Runs clients against three replica processes while a nemesis makes them fail, writes "
            + "down every operation, and checks that the history is linearizable.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class HistoryCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--check",
      paramLabel = "FILE",
      description = "Only check this history file; nothing else is run.")
  private @Nullable Path check;

  @Override
  public Integer call() throws BenchException, InterruptedException, IOException {
    if (check != null) {
      return check(check);
    }
    throw new ParameterException(spec.commandLine(), "--check FILE is missing");
  }

  private int check(Path file) throws BenchException, InterruptedException, IOException {
    PrintWriter out = spec.commandLine().getOut();
    Path parent = file.toAbsolutePath().getParent();
    FileCheck.Checked checked = FileCheck.run(file, parent == null ? Path.of("") : parent, out);
    int violations = checked.report().violations().size();
    out.printf(
        "%s: %d operations on %d keys, %d violations, checked in %.1f s%n",
        violations == 0 ? "linearizable" : "NOT LINEARIZABLE",
        checked.operations().size(),
        checked.report().keys(),
        violations,
        checked.seconds());
    return violations == 0 ? 0 : 1;
  }
}
