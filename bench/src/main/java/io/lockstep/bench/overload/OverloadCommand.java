package io.lockstep.bench.overload;

import io.lockstep.bench.overload.OverloadRow.Mode;
import io.lockstep.bench.overload.OverloadRow.Protocol;
import io.lockstep.bench.process.RunDirectory;
import io.lockstep.bench.result.ResultOptions;
import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench overload}: switches that send as fast as they can, beside a quiet one. */
@Command(
    name = "overload",
    description =
        "Starts three nodes for each row, plays switches that send packet-ins as cbench's do "
            + "beside a quiet switch, and reports what the nodes answer, what they drop, and what "
            + "it costs. Ends with exit code 1 where a row could not be measured.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class OverloadCommand implements Callable<Integer> {
  private static final int MAX_SWITCHES = 256;

  /** Measures one row. */
  interface Runner {
    /**
     * Measures it.
     *
     * @param directory of the nodes' configuration, logs and state
     */
    OverloadPoint run(OverloadRow row, Path directory, int warmUpSeconds, int seconds)
        throws BenchException, InterruptedException, IOException;
  }

  private final Runner runner;

  @Spec private CommandSpec spec;

  @Option(
      names = "--switches",
      split = ",",
      paramLabel = "N",
      defaultValue = "16",
      description = "Loud switches, 1 to 256 (${DEFAULT-VALUE}).")
  private List<Integer> switches;

  @Option(
      names = "--durable",
      split = ",",
      arity = "1",
      paramLabel = "false|true",
      defaultValue = "false,true",
      description = "Whether the store keeps its state on disk (${DEFAULT-VALUE}).")
  private List<String> durable;

  @Option(
      names = "--openflow",
      split = ",",
      paramLabel = "1.0|1.3",
      defaultValue = "1.0,1.3",
      description = "What the loud switches speak (${DEFAULT-VALUE}).")
  private List<String> openflow;

  @Option(
      names = "--ports",
      split = ",",
      paramLabel = "one|many",
      defaultValue = "many",
      description =
          "Whether packets come in by one port of a switch or sixteen (${DEFAULT-VALUE}).")
  private List<String> ports;

  @Option(
      names = "--mode",
      split = ",",
      paramLabel = "latency|throughput",
      defaultValue = "latency,throughput",
      description =
          "One packet-in at a time for each switch, or as many as its socket takes "
              + "(${DEFAULT-VALUE}).")
  private List<String> modes;

  @Option(
      names = "--limits",
      split = ",",
      paramLabel = "on|off",
      defaultValue = "off,on",
      description = "Whether the nodes limit packets, as by default (${DEFAULT-VALUE}).")
  private List<String> limits;

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "Measured window of each row, 1 to 3600 (${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--warmup",
      paramLabel = "SECONDS",
      defaultValue = "15",
      description = "Run before each window and not counted, 0 to 600 (${DEFAULT-VALUE}).")
  private int warmUpSeconds;

  @Mixin private ResultOptions result;

  /** The command as it is run by users. */
  public OverloadCommand() {
    this(
        (row, directory, warmUp, seconds) ->
            new OverloadRun(row, directory, warmUp, seconds).run());
  }

  OverloadCommand(Runner runner) {
    this.runner = runner;
  }

  @Override
  public Integer call() throws BenchException, InterruptedException, IOException {
    List<OverloadRow> rows = rows();
    within("--seconds", seconds, 1, 3600);
    within("--warmup", warmUpSeconds, 0, 600);
    PrintWriter out = spec.commandLine().getOut();
    out.println(OverloadPoint.head());
    List<OverloadPoint> points = new ArrayList<>();
    StringBuilder failures = new StringBuilder();
    for (OverloadRow row : rows) {
      RunDirectory directory = RunDirectory.create("overload");
      try {
        OverloadPoint point = runner.run(row, directory.path(), warmUpSeconds, seconds);
        points.add(point);
        out.println(point.line());
        result.keepList(spec, points);
        directory.remove();
      } catch (BenchException | IOException e) {
        failures.append(row).append(": ").append(e.getMessage()).append('\n');
        out.println("not measured: " + row + ": " + e.getMessage());
        out.println("logs: " + directory.path());
        result.writeBeside(spec, ".failures.txt", failures.toString());
      }
      out.flush();
    }
    result.writeList(spec, points);
    return failures.isEmpty() ? 0 : 1;
  }

  private List<OverloadRow> rows() {
    switches.forEach(count -> within("--switches", count, 1, MAX_SWITCHES));
    return OverloadRow.all(
        switches,
        chosen("--durable", durable, choices("false", false, "true", true)),
        chosen(
            "--openflow",
            openflow,
            choices(Protocol.V10.label, Protocol.V10, Protocol.V13.label, Protocol.V13)),
        chosen("--ports", ports, choices("one", false, "many", true)),
        chosen(
            "--mode",
            modes,
            choices(Mode.LATENCY.label, Mode.LATENCY, Mode.THROUGHPUT.label, Mode.THROUGHPUT)),
        chosen("--limits", limits, choices("off", false, "on", true)));
  }

  private static <T> Map<String, T> choices(String one, T first, String other, T second) {
    Map<String, T> choices = new LinkedHashMap<>();
    choices.put(one, first);
    choices.put(other, second);
    return choices;
  }

  private <T> List<T> chosen(String option, List<String> names, Map<String, T> choices) {
    List<T> chosen = new ArrayList<>();
    for (String name : names) {
      T value = choices.get(name);
      if (value == null) {
        throw new ParameterException(
            spec.commandLine(),
            option + ": " + String.join(" or ", choices.keySet()) + ", not '" + name + "'");
      }
      chosen.add(value);
    }
    return chosen;
  }

  private void within(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new ParameterException(
          spec.commandLine(), option + ": " + least + " to " + most + ", not " + value);
    }
  }
}
