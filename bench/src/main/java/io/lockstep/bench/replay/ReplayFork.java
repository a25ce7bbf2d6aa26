package io.lockstep.bench.replay;

import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs one point in one virtual machine of JMH.
 *
 * @param runs flows in all, at least
 * @param leastSeconds until then flows begin, whatever {@code runs} says
 * @param mostSeconds after which no flow begins
 * @param warmUpSeconds of load before
 * @param trace of recorded messages; empty for the paper's tables
 */
public record ReplayFork(
    long runs, long leastSeconds, long mostSeconds, int warmUpSeconds, String trace) {
  /** For points that end by themselves. */
  public static final long NO_LIMIT_SECONDS = 3_600;

  private static final int WARM_UP_FLOWS = 64;
  private static final int WARM_UP_FACTOR = 4;

  /** The load's virtual machine: as a node's, with room for the tables that it fills. */
  private static final String[] FLAGS = {"-Xms128m", "-Xmx384m", "-XX:+UseSerialGC"};

  /**
   * Loads a cluster that has just started, for four times as long as a point is warmed up: else the
   * first point would be measured on replicas that are still being compiled. Blocks.
   *
   * @throws BenchException as {@link #measure}
   */
  public void warm(ReplayCluster cluster, boolean durable, Path directory)
      throws BenchException, IOException {
    if (warmUpSeconds > 0) {
      // The longest of all: it reads and writes, and finds something or nothing.
      ReplayPoint point =
          new ReplayPoint("dm-unknown", "init", null, ReplayMode.MESSAGES, durable, WARM_UP_FLOWS);
      new ReplayFork(1, 0, NO_LIMIT_SECONDS, WARM_UP_FACTOR * warmUpSeconds, "")
          .measure(point, cluster, directory);
    }
  }

  /**
   * Measures a point. Blocks.
   *
   * @param directory for the result, until it is read
   * @throws BenchException where a flow failed or the cluster ended; says which and why
   */
  public ReplayResult measure(ReplayPoint point, ReplayCluster cluster, Path directory)
      throws BenchException, IOException {
    Path results = Files.createTempFile(directory, "replay-", ".jsonl");
    String best = point.bestOrWorst();
    try {
      new Runner(
              new OptionsBuilder()
                  .include(ReplayBenchmark.class.getName() + ".replay")
                  .param("workload", point.workload())
                  .param("variant", point.variant() + (best == null ? "" : " " + best))
                  .param("mode", point.mode().label())
                  .param("durable", String.valueOf(point.durable()))
                  .param("flows", String.valueOf(point.flows()))
                  .param("runs", String.valueOf(runs))
                  .param("leastSeconds", String.valueOf(leastSeconds))
                  .param("mostSeconds", String.valueOf(mostSeconds))
                  .param("warmUpSeconds", String.valueOf(warmUpSeconds))
                  .param("replicas", cluster.addresses())
                  .param("trace", trace)
                  .param("results", results.toString())
                  .forks(1)
                  .jvmArgsAppend(FLAGS)
                  .shouldFailOnError(true)
                  .verbosity(VerboseMode.SILENT)
                  .build())
          .run();
      List<ReplayResult> measured = ReplayResults.read(results);
      if (measured.size() != 1) {
        throw new BenchException(point.label() + ": the load gave no result");
      }
      return measured.get(0);
    } catch (RunnerException e) {
      String obituary = cluster.obituary();
      throw new BenchException(
          point.label() + ": " + (obituary.isEmpty() ? cause(e) : obituary), e);
    } finally {
      Files.deleteIfExists(results);
    }
  }

  /** The innermost sentence: JMH's own says only that a benchmark failed. */
  private static String cause(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null || cause.getSuppressed().length > 0) {
      Throwable inner = cause.getCause();
      cause = inner == null ? cause.getSuppressed()[0] : inner;
    }
    String message = cause.getMessage();
    return message == null ? cause.toString() : message;
  }
}
