package io.lockstep.bench.core;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.lockstep.bench.runs.BenchException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.util.Statistics;

/** Runs JMH and gives its results as points. */
public final class JmhRun {
  private JmhRun() {}

  /**
   * One measured benchmark. Names of the components are the keys of the result file.
   *
   * @param parameters of the benchmark
   * @param score in {@code unit}
   * @param error half of the 99.9 % confidence interval, in {@code unit}
   * @param samples of single calls; null where calls were not timed one by one
   */
  public record Point(
      String benchmark,
      Map<String, String> parameters,
      double score,
      double error,
      String unit,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Samples samples) {}

  /** Times of single calls, in the point's unit. */
  public record Samples(long calls, double p50, double p99, double p999, double max) {}

  /** Runs what the options say, one point for each benchmark and set of parameters. */
  public static List<Point> run(Options options) throws BenchException {
    List<Point> points = new ArrayList<>();
    try {
      for (RunResult result : new Runner(options).run()) {
        points.add(point(result));
      }
    } catch (RunnerException e) {
      throw new BenchException("JMH: " + e.getMessage(), e);
    }
    return points;
  }

  private static Point point(RunResult result) {
    Map<String, String> parameters = new TreeMap<>();
    for (String key : result.getParams().getParamsKeys()) {
      parameters.put(key, result.getParams().getParam(key));
    }
    Result<?> primary = result.getPrimaryResult();
    String name = result.getParams().getBenchmark();
    return new Point(
        name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1),
        parameters,
        primary.getScore(),
        Double.isNaN(primary.getScoreError()) ? 0 : primary.getScoreError(),
        primary.getScoreUnit(),
        result.getParams().getMode() == Mode.SampleTime ? samples(primary.getStatistics()) : null);
  }

  private static Samples samples(Statistics statistics) {
    return new Samples(
        statistics.getN(),
        statistics.getPercentile(50),
        statistics.getPercentile(99),
        statistics.getPercentile(99.9),
        statistics.getMax());
  }
}
