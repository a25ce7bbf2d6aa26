package io.lockstep.bench.core;

import io.lockstep.bench.result.ResultOptions;
import io.lockstep.bench.runs.BenchException;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench core}: the pure state machine under JMH. */
@Command(
    name = "core",
    description = "Times the pure state machine with JMH: nanoseconds per operation.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class CoreCommand implements Callable<Integer> {
  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "5",
      description = "Measured iterations of one second (${DEFAULT-VALUE}).")
  private int iterations;

  @Spec private CommandSpec spec;

  @Mixin private ResultOptions options;

  @Override
  public Integer call() throws BenchException {
    options.write(
        spec,
        JmhRun.run(
            new OptionsBuilder()
                .include(StateMachineBenchmark.class.getName() + ".*")
                .measurementIterations(iterations)
                .measurementTime(TimeValue.seconds(1))
                .shouldFailOnError(true)
                .build()));
    return 0;
  }
}
