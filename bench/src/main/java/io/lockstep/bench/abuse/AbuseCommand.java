package io.lockstep.bench.abuse;

import io.lockstep.bench.abuse.AbuseRun.Outcome;
import io.lockstep.bench.process.RunDirectory;
import io.lockstep.bench.result.ResultOptions;
import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench abuse}: attacks on three nodes, and what they cost a quiet switch beside them. */
@Command(
    name = "abuse",
    description =
        "Attacks three nodes beside a quiet switch, each attack on nodes of its own, and reports "
            + "what the others lost. Ends with exit code 1 where an attack was not contained.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class AbuseCommand implements Callable<Integer> {
  /** The measured windows where nothing else is said; with it all attacks fit into half an hour. */
  static final int USUAL_SECONDS = 10;

  /** Runs one attack. */
  interface Runner {
    /** Runs it in a directory, with measured windows of so many seconds. */
    Outcome run(Attack attack, Path directory, int seconds) throws InterruptedException;
  }

  private final Runner runner;

  @Spec private CommandSpec spec;

  @Option(
      names = "--attacks",
      split = ",",
      paramLabel = "NAME",
      description = "Only these, such as flow-removed,http-drip; all by default.")
  private @Nullable List<String> names;

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      defaultValue = "" + USUAL_SECONDS,
      description = "Measured under each attack, and before it, 1 to 600 (${DEFAULT-VALUE}).")
  private int seconds;

  @Mixin private ResultOptions result;

  /** The command as it is run by users. */
  public AbuseCommand() {
    this((attack, directory, seconds) -> new AbuseRun(attack, directory, seconds).run());
  }

  AbuseCommand(Runner runner) {
    this.runner = runner;
  }

  @Override
  public Integer call() throws BenchException, InterruptedException, IOException {
    List<Attack> attacks = attacks();
    if (seconds < 1 || seconds > 600) {
      throw new ParameterException(spec.commandLine(), "--seconds: 1 to 600, not " + seconds);
    }
    PrintWriter out = spec.commandLine().getOut();
    List<AbusePoint> points = new ArrayList<>();
    StringBuilder failures = new StringBuilder();
    for (Attack attack : attacks) {
      RunDirectory directory = RunDirectory.create("abuse-" + attack.label());
      Outcome outcome = runner.run(attack, directory.path(), seconds);
      AbusePoint point = outcome.point();
      out.println(point.line());
      if (!outcome.failure().isEmpty()) {
        failures.append(attack.label()).append(": ").append(outcome.failure()).append('\n');
        out.println("not measured: " + outcome.failure());
        result.writeBeside(spec, ".failures.txt", failures.toString());
      }
      if (point.contained()) {
        directory.remove();
      } else {
        out.println("logs: " + directory.path());
      }
      out.flush();
      points.add(point);
      result.keepList(spec, points);
    }
    result.writeList(spec, points);
    return points.stream().allMatch(AbusePoint::contained) ? 0 : 1;
  }

  private List<Attack> attacks() {
    if (names == null) {
      return Attack.ALL;
    }
    List<Attack> attacks = new ArrayList<>();
    for (String name : names) {
      attacks.add(
          Attack.ALL.stream()
              .filter(attack -> attack.label().equals(name))
              .findAny()
              .orElseThrow(
                  () ->
                      new ParameterException(
                          spec.commandLine(),
                          "--attacks: there is no '" + name + "'; there are: " + labels())));
    }
    return attacks;
  }

  private static String labels() {
    return Attack.ALL.stream().map(Attack::label).collect(Collectors.joining(", "));
  }
}
