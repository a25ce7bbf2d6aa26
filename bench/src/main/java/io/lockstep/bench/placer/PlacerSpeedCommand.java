package io.lockstep.bench.placer;

import io.lockstep.bench.core.JmhRun;
import io.lockstep.bench.result.ResultOptions;
import io.lockstep.bench.runs.BenchException;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench placer-speed}: how long the placer takes, under JMH. */
@Command(
    name = "placer-speed",
    description = "Times the rule placer with JMH: whole rule sets, single changes, improvement.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class PlacerSpeedCommand implements Callable<Integer> {
  @Option(
      names = "--rules",
      split = ",",
      paramLabel = "N",
      defaultValue = "1000,3000,10000,30000,100000",
      description = "Rules in the set (${DEFAULT-VALUE}).")
  private List<String> rules;

  @Option(
      names = "--families",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "ACL,FIREWALL,IP_CHAIN",
      description = "Kinds of rule sets (${DEFAULT-VALUE}; CLIQUES overlaps most).")
  private List<String> families;

  @Option(
      names = "--profiles",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "3500yl-1.3",
      description = "Built-in profiles (${DEFAULT-VALUE}).")
  private List<String> profiles;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "5",
      description = "To warm up, and as many that count (${DEFAULT-VALUE}).")
  private int iterations;

  @Spec private CommandSpec spec;

  @Mixin private ResultOptions options;

  @Override
  public Integer call() throws BenchException {
    options.writeList(
        spec,
        JmhRun.run(
            new OptionsBuilder()
                .include(PlacerBenchmark.class.getName() + ".*")
                .param("rules", rules.toArray(String[]::new))
                .param("family", families.toArray(String[]::new))
                .param("profile", profiles.toArray(String[]::new))
                .warmupIterations(iterations)
                .measurementIterations(iterations)
                .shouldFailOnError(true)
                .build()));
    return 0;
  }
}
