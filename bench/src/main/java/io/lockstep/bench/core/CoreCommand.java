package io.lockstep.bench.core;

import io.lockstep.bench.BenchException;
import io.lockstep.bench.ResultOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
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

  /**
   * One measured benchmark. Names of the components are the keys of the result file.
   *
   * @param parameters of the benchmark
   * @param score in {@code unit}
   * @param error half of the 99.9 % confidence interval, in {@code unit}
   */
  record CorePoint(
      String benchmark, Map<String, String> parameters, double score, double error, String unit) {}

  @Override
  public Integer call() throws BenchException {
    Collection<RunResult> results;
    try {
      results =
          new Runner(
                  new OptionsBuilder()
                      .include(StateMachineBenchmark.class.getName() + ".*")
                      .measurementIterations(iterations)
                      .measurementTime(TimeValue.seconds(1))
                      .shouldFailOnError(true)
                      .build())
              .run();
    } catch (RunnerException e) {
      throw new BenchException("JMH: " + e.getMessage(), e);
    }
    List<CorePoint> points = new ArrayList<>();
    for (RunResult result : results) {
      points.add(point(result));
    }
    options.write(spec, points);
    return 0;
  }

  private static CorePoint point(RunResult result) {
    Map<String, String> parameters = new TreeMap<>();
    for (String key : result.getParams().getParamsKeys()) {
      parameters.put(key, result.getParams().getParam(key));
    }
    Result<?> primary = result.getPrimaryResult();
    String name = result.getParams().getBenchmark();
    return new CorePoint(
        name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1),
        parameters,
        primary.getScore(),
        Double.isNaN(primary.getScoreError()) ? 0 : primary.getScoreError(),
        primary.getScoreUnit());
  }
}
