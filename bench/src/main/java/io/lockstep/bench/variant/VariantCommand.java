package io.lockstep.bench.variant;

import io.lockstep.bench.process.RunDirectory;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.variant.VariantNode.TracedApplication;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench variant}: what one application asks of the store in one column of the paper. */
@Command(
    name = "variant",
    description =
        "Starts three controller nodes that run one application in one variant, plays a switch"
            + " against them, and prints which operations of the store each kind of event led to,"
            + " beside those of the paper's tables: docs/STORE_ACCESS.md.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class VariantCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--application",
      required = true,
      paramLabel = "NAME",
      description = "learning-switch, load-balancer or device-manager.")
  private String application;

  @Option(
      names = "--variant",
      required = true,
      paramLabel = "NAME",
      description = "init, cref, vers, cols, micro, cache or own.")
  private String variant;

  @Override
  public Integer call() throws BenchException, InterruptedException, IOException {
    TracedApplication wanted =
        Arrays.stream(TracedApplication.values())
            .filter(one -> one.label().equals(application))
            .findFirst()
            .orElseThrow(
                () ->
                    wrong(
                        "--application",
                        application,
                        labels(
                            Arrays.stream(TracedApplication.values())
                                .map(TracedApplication::label))));
    Variant column =
        Variant.of(variant)
            .orElseThrow(
                () ->
                    wrong(
                        "--variant",
                        variant,
                        labels(Arrays.stream(Variant.values()).map(Variant::label))));
    if (wanted == TracedApplication.DEVICE_MANAGER && column == Variant.OWN) {
      throw new ParameterException(
          spec.commandLine(),
          "--variant: the product's device manager has no chain of operations to show; "
              + "docs/STORE_ACCESS.md lists them");
    }
    RunDirectory directory = RunDirectory.create("variant");
    List<WorkloadEvent> events;
    try {
      events = new VariantRun(directory.path(), Set.of(wanted), column).run();
    } catch (BenchException e) {
      throw new BenchException(e.getMessage() + " (logs: " + directory.path() + ")", e);
    }
    VariantReport.lines(events, column).forEach(spec.commandLine().getOut()::println);
    if (events.isEmpty()) {
      throw new BenchException("no event came (logs: " + directory.path() + ")");
    }
    directory.remove();
    return 0;
  }

  private static String labels(Stream<String> values) {
    return values.collect(Collectors.joining(", "));
  }

  private ParameterException wrong(String option, String value, String allowed) {
    return new ParameterException(
        spec.commandLine(), option + ": '" + value + "' is none of " + allowed);
  }
}
