package io.lockstep.bench.peers;

import io.lockstep.bench.measure.WarmUp;
import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Runs the points of a plan that are not in the file yet, block by block, and prints each with an
 * estimate of the time left. Its method blocks; used by one thread.
 */
final class CompareRun {
  private static final int WARM_FLOWS = 64;
  private static final int SETTLE_MILLIS = 1000;

  private final CompareFile file;
  private final Starter starter;
  private final PrintWriter print;
  private final int seconds;
  private final int warmupSeconds;
  private final List<String> failures = new ArrayList<>();

  /**
   * A run.
   *
   * @param seconds of each point's window
   * @param warmupSeconds of each variant before its points, at most; 0 for no warm-up
   */
  CompareRun(CompareFile file, Starter starter, PrintWriter print, int seconds, int warmupSeconds) {
    this.file = file;
    this.starter = starter;
    this.print = print;
    this.seconds = seconds;
    this.warmupSeconds = warmupSeconds;
  }

  /** Starts the processes of a block. */
  interface Starter {
    StoreRun start(ComparePlan.Block block)
        throws BenchException, IOException, InterruptedException;
  }

  /**
   * Runs them all; a block that fails does not stop the others.
   *
   * @return what failed, a sentence each
   */
  List<String> run(List<ComparePlan.Block> blocks) throws IOException, InterruptedException {
    List<ComparePlan.Block> left = blocks.stream().filter(block -> !open(block).isEmpty()).toList();
    if (left.isEmpty()) {
      print.println("nothing is left to measure: the file has all these points");
      print.flush();
    }
    for (int done = 0; done < left.size(); done++) {
      announce(left, done);
      run(left.get(done));
    }
    return List.copyOf(failures);
  }

  private List<PointKey> open(ComparePlan.Block block) {
    return block.points().stream().filter(point -> !file.contains(point)).toList();
  }

  private void announce(List<ComparePlan.Block> left, int done) {
    List<List<PointKey>> points = left.subList(done, left.size()).stream().map(this::open).toList();
    int estimate =
        new TimeLeft(seconds + SETTLE_MILLIS / 1000, warmupSeconds).seconds(points, file.warmUps());
    print.printf(
        "%d points in %d starts are left, about %s%n",
        points.stream().mapToInt(List::size).sum(), points.size(), TimeLeft.text(estimate));
    print.flush();
  }

  private void run(ComparePlan.Block block) throws IOException, InterruptedException {
    List<PointKey> left = open(block);
    try (StoreRun store = starter.start(block)) {
      String warm = "";
      for (PointKey key : left) {
        if (!warm.equals(key.variant()) && warmupSeconds > 0) {
          warmUp(store, key);
          warm = key.variant();
        }
        StoreRun.Outcome outcome =
            store.run(key.workload(), key.variant(), key.flows(), SETTLE_MILLIS, seconds * 1000);
        ComparePoint point = ComparePoint.of(key, outcome.measured(), outcome.cpuNanos());
        file.add(point);
        print(point);
      }
    } catch (BenchException e) {
      PointKey first = left.get(0);
      String failure =
          block.store().label()
              + " "
              + first.workload()
              + ", round "
              + first.round()
              + ": "
              + e.getMessage();
      failures.add(failure);
      print.println("failed: " + failure);
      print.flush();
    }
  }

  private void warmUp(StoreRun store, PointKey key)
      throws BenchException, IOException, InterruptedException {
    WarmUp warmUp = new WarmUp(warmupSeconds);
    do {
      StoreRun.Outcome outcome =
          store.run(key.workload(), key.variant(), WARM_FLOWS, 0, WarmUp.SLICE_MILLIS);
      ComparePoint slice = ComparePoint.of(key, outcome.measured(), outcome.cpuNanos());
      warmUp.add(new WarmUp.Slice(slice.flowsPerSecond(), slice.cpuMicrosPerFlow()));
    } while (!warmUp.isOver());
    file.add(WarmedUp.of(key, warmUp));
    print.printf(
        Locale.ROOT,
        "%-12s %-10s %-5s warm after %d s%s%n",
        key.store(),
        key.workload(),
        key.variant(),
        warmUp.seconds(),
        warmUp.isSteady() ? "" : ", the limit: it was still getting better");
    print.flush();
  }

  private void print(ComparePoint point) {
    print.printf(
        Locale.ROOT,
        "%-12s %-10s %-5s %-9s round %d flows %4d: %9.1f/s  p50 %.3f p90 %.3f p99 %.3f ms"
            + "  cpu %.1f us/flow  failed replaces %d%n",
        point.store(),
        point.workload(),
        point.variant(),
        point.durable() ? "durable" : "in-memory",
        point.round(),
        point.flows(),
        point.flowsPerSecond(),
        point.p50Millis(),
        point.p90Millis(),
        point.p99Millis(),
        point.cpuMicrosPerFlow(),
        point.failedReplaces());
    print.flush();
  }
}
