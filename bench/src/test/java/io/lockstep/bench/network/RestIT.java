package io.lockstep.bench.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.cluster.NodeProcesses;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.NetworkOptions;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.dataplane.topology.Topology;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes with eight switches that do nothing: what they order, and that each cause is named.
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class RestIT {
  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(240);

  /** Signs of life and questions in a window, some ten seconds of them. */
  private static final long WINDOW_OPERATIONS = 40;

  private static final double MOST_PER_SECOND = 5;
  private static final Pattern LINE =
      Pattern.compile("(?m)^(\\w+)(?:\\{cause=\"([^\"]+)\"})? ([0-9.E+]+)$");
  private static final String CAUSES = "lockstep_store_operations_total";
  private static final String REPLICA = "lockstep_replica_";

  /**
   * The causes of a cluster in which nothing changes: the feeds, whose questions renew leases, and
   * what each node says of itself every ten seconds.
   */
  private static final List<String> AT_REST = List.of("feed", "lease", "cluster.summaries");

  @TempDir private Path directory;

  private final HttpClient http = HttpClient.newHttpClient();

  /** The counters of one node, and when they were read. */
  private record Counters(long nanos, Map<String, Map<String, Long>> values) {
    long of(String metric, String label) {
      return values.getOrDefault(metric, Map.of()).getOrDefault(label, 0L);
    }

    Map<String, Long> causesSince(Counters before) {
      Map<String, Long> since = new TreeMap<>();
      for (String cause : values.getOrDefault(CAUSES, Map.of()).keySet()) {
        long more = of(CAUSES, cause) - before.of(CAUSES, cause);
        if (more > 0) {
          since.put(cause, more);
        }
      }
      return since;
    }

    long since(Counters before, String what) {
      return of(REPLICA + what, "") - before.of(REPLICA + what, "");
    }
  }

  private Counters counters(NodeProcesses nodes, int node) {
    URI metrics = URI.create("http://" + nodes.plan().adminEndpoint(node) + "/metrics");
    String text;
    try {
      text = http.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new AssertionError(metrics.toString(), e);
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
    Map<String, Map<String, Long>> values = new HashMap<>();
    for (Matcher line = LINE.matcher(text); line.find(); ) {
      values
          .computeIfAbsent(Objects.requireNonNull(line.group(1)), any -> new HashMap<>())
          .put(
              Objects.requireNonNullElse(line.group(2), ""),
              (long) Double.parseDouble(line.group(3)));
    }
    return new Counters(System.nanoTime(), values);
  }

  private static void await(String what, Supplier<List<String>> missing) {
    long deadline = System.nanoTime() + DEADLINE_NANOS;
    List<String> left = missing.get();
    while (!left.isEmpty()) {
      assertThat(System.nanoTime() - deadline).as("%s: %s", what, left).isNegative();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
      left = missing.get();
    }
  }

  /** What keeps a window of each node from being one at rest; prints the windows. */
  private List<String> unrest(NodeProcesses nodes) {
    List<Counters> before = new ArrayList<>();
    for (int node = 0; node < NodeProcesses.NODES; node++) {
      before.add(counters(nodes, node));
    }
    await(
        "too few operations",
        () -> {
          long more =
              counters(nodes, 0).causesSince(before.get(0)).values().stream()
                  .mapToLong(Long::longValue)
                  .sum();
          return more >= WINDOW_OPERATIONS ? List.of() : List.of("only " + more);
        });
    List<String> wrong = new ArrayList<>();
    for (int node = 0; node < NodeProcesses.NODES; node++) {
      Counters after = counters(nodes, node);
      double seconds = (after.nanos() - before.get(node).nanos()) / 1e9;
      Map<String, Long> causes = after.causesSince(before.get(node));
      long named = causes.values().stream().mapToLong(Long::longValue).sum();
      long instances = after.since(before.get(node), "instances_total");
      long requests = after.since(before.get(node), "requests_total");
      long records = after.since(before.get(node), "log_records_total");
      long syncs = after.since(before.get(node), "log_sync_duration_seconds_count");
      String window =
          String.format(
              "n%d in %.1f s: %d instances, %d requests, %d records, %d syncs, %s",
              node + 1, seconds, instances, requests, records, syncs, causes);
      System.out.println(window);
      // Nothing unnamed: each instance has a request, and each request an operation with a cause.
      boolean named1 = requests >= instances && named >= requests && records <= instances + 1;
      boolean few =
          instances / seconds <= MOST_PER_SECOND
              && syncs / seconds <= MOST_PER_SECOND
              && AT_REST.containsAll(causes.keySet());
      if (!named1 || !few) {
        wrong.add(window);
      }
    }
    return wrong;
  }

  @Test
  void clusterAtRestOrdersSignsOfLifeAndNothingElse() throws Exception {
    Topology topology = Topologies.twoDomains(4, 1);
    assertThat(topology.switches()).hasSize(8);
    try (NodeProcesses nodes = new NodeProcesses(directory, NodeViews.domains(topology), "")) {
      NodeViews views = new NodeViews(topology, nodes);
      await("not ready", views::unready);
      try (EmulatedNetwork network =
          new EmulatedNetwork(topology, NetworkOptions.ordinary(nodes.controllers()))) {
        network.start();
        await("links are wrong", views::wrongLinks);
        await("no rest", () -> unrest(nodes));
      }
    }
  }
}
