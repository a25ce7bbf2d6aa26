package io.lockstep.bench.rest;

import io.lockstep.bench.cluster.NodeProcesses;
import io.lockstep.bench.measure.Figures;
import io.lockstep.bench.measure.Schedule;
import io.lockstep.bench.openflow.LoadPlan;
import io.lockstep.bench.openflow.OpenFlowLoad;
import io.lockstep.bench.process.RunDirectory;
import io.lockstep.bench.result.ResultOptions;
import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench rest}: requests over HTTP beside flow set-ups. */
@Command(
    name = "rest",
    description =
        "Starts three controller nodes and plays switches with a fixed rate of new flows; reads "
            + "and writes static flows over HTTP beside them, and reports the latency of all, and "
            + "of the same flows without requests.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class RestCommand implements Callable<Integer> {
  private static final LoadPlan PLAN = new LoadPlan(16, 4, 64, 1);
  private static final int READY_MILLIS = 60_000;
  private static final int DEADLINE_MILLIS = 5_000;
  private static final int MOST_PER_SECOND = 10_000;

  @Spec private CommandSpec spec;
  @Mixin private ResultOptions result;

  @Option(
      names = "--flows-per-second",
      paramLabel = "N",
      defaultValue = "5000",
      description = "New flows, 1 to " + MOST_PER_SECOND + " (${DEFAULT-VALUE}).")
  private int flowsPerSecond;

  @Option(
      names = "--requests-per-second",
      paramLabel = "N",
      defaultValue = "2200",
      description =
          "Requests over all nodes, 1 to "
              + MOST_PER_SECOND
              + ", of which one in eleven is a write (${DEFAULT-VALUE}).")
  private int requestsPerSecond;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "How often both are measured (${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--warmup",
      paramLabel = "SECONDS",
      defaultValue = "200",
      description =
          "All load before the first round (${DEFAULT-VALUE}); before, the nodes still compile.")
  private int warmupSeconds;

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      defaultValue = "15",
      description = "Each measured window (${DEFAULT-VALUE}).")
  private int seconds;

  @Override
  public Integer call() throws BenchException, InterruptedException, IOException {
    check();
    // The usual five connections kept to each node would be opened and closed all the time.
    System.setProperty("http.maxConnections", String.valueOf(RestLoad.WORKERS));
    RunDirectory directory = RunDirectory.create("rest");
    List<RestPoint> points = new ArrayList<>();
    try (NodeProcesses nodes =
            new NodeProcesses(
                directory.path(), NodeProcesses.domains(PLAN), NodeProcesses.WITHOUT_QUOTAS);
        OpenFlowLoad flows = OpenFlowLoad.start(PLAN, nodes.controllers())) {
      measure(nodes, flows, points);
    } catch (TimeoutException | BenchException e) {
      throw new BenchException(e.getMessage() + " (logs: " + directory.path() + ")", e);
    }
    directory.remove();
    result.write(spec, points);
    return 0;
  }

  private void check() {
    within("--flows-per-second", flowsPerSecond, MOST_PER_SECOND);
    within("--requests-per-second", requestsPerSecond, MOST_PER_SECOND);
    within("--rounds", rounds, 1000);
    within("--warmup", warmupSeconds, 3600);
    within("--seconds", seconds, 3600);
  }

  private void within(String option, int value, int most) {
    if (value < 1 || value > most) {
      throw new ParameterException(
          spec.commandLine(), option + ": 1 to " + most + ", not " + value);
    }
  }

  private void measure(NodeProcesses nodes, OpenFlowLoad flows, List<RestPoint> points)
      throws BenchException, InterruptedException, TimeoutException {
    PrintWriter out = spec.commandLine().getOut();
    nodes.awaitMasters(READY_MILLIS);
    flows.learn(READY_MILLIS);
    List<String> addresses =
        IntStream.range(0, NodeProcesses.NODES).mapToObj(nodes.plan()::adminEndpoint).toList();
    RestLoad requests = new RestLoad(addresses, PLAN.switches(), requestsPerSecond);
    both(requests, flows, Schedule.ofSeconds(0, warmupSeconds, DEADLINE_MILLIS));
    Schedule schedule = Schedule.ofSeconds(2, seconds, DEADLINE_MILLIS);
    for (int round = 1; round <= rounds; round++) {
      Figures alone = flows.pace(flowsPerSecond, schedule).figures();
      Beside beside = both(requests, flows, schedule);
      RestPoint point =
          RestPoint.of(round, alone, beside.flows, beside.rest.reads(), beside.rest.writes());
      points.add(point);
      print(out, point);
      if (beside.rest.failure() >= 0) {
        out.println("a request failed with HTTP status " + beside.rest.failure());
      }
      out.flush();
    }
  }

  private static void print(PrintWriter out, RestPoint point) {
    out.printf(
        Locale.ROOT,
        "round %d: set-ups %.0f/s, p99 %.1f ms alone and %.1f ms beside requests (%.2f), lost %d;"
            + " reads %.0f/s, p99 %.1f ms, failed %d; writes %.0f/s, p99 %.1f ms, failed %d%n",
        point.round(),
        point.beside().perSecond(),
        point.alone().p99Micros() / 1e3,
        point.beside().p99Micros() / 1e3,
        point.p99Ratio(),
        point.alone().lost() + point.beside().lost(),
        point.reads().perSecond(),
        point.reads().p99Micros() / 1e3,
        point.reads().lost(),
        point.writes().perSecond(),
        point.writes().p99Micros() / 1e3,
        point.writes().lost());
  }

  private record Beside(Figures flows, RestLoad.Result rest) {}

  private Beside both(RestLoad requests, OpenFlowLoad flows, Schedule schedule)
      throws BenchException, InterruptedException, TimeoutException {
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      Future<RestLoad.Result> rest = other.submit(() -> requests.run(schedule));
      Figures set = flows.pace(flowsPerSecond, schedule).figures();
      return new Beside(set, rest.get());
    } catch (ExecutionException e) {
      throw new BenchException("the requests could not be sent: " + e.getCause(), e);
    } finally {
      other.shutdownNow();
    }
  }
}
