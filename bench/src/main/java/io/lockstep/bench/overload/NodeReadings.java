package io.lockstep.bench.overload;

import io.lockstep.bench.cluster.NodeProcesses;
import io.lockstep.bench.runs.LiveMemory;
import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.status.AdminClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** What the nodes say of themselves, and what the system says of them. Used by one thread. */
final class NodeReadings {
  private static final String DROPPED = "lockstep_packet_ins_dropped_total{";

  /** What a node logs when its lease runs out or its session ends. */
  private static final String STEPS_DOWN = ": steps down: ";

  private static final int ASK_MILLIS = 10_000;

  private final NodeProcesses nodes;
  private final Path directory;
  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofMillis(ASK_MILLIS)).build();

  NodeReadings(NodeProcesses nodes, Path directory) {
    this.nodes = nodes;
    this.directory = directory;
  }

  /** CPU time of all nodes together so far. */
  long cpuNanos() {
    return nodes.handles().stream()
        .mapToLong(each -> each.info().totalCpuDuration().map(Duration::toNanos).orElse(0L))
        .sum();
  }

  /** Packet-ins that all nodes counted as dropped so far. */
  long dropped() throws IOException, InterruptedException {
    long dropped = 0;
    for (int node = 0; node < NodeProcesses.NODES; node++) {
      URI uri = URI.create("http://" + nodes.plan().adminEndpoint(node) + "/metrics");
      HttpRequest request =
          HttpRequest.newBuilder(uri).timeout(Duration.ofMillis(ASK_MILLIS)).build();
      dropped += dropped(http.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }
    return dropped;
  }

  /** The same in the text of one node. */
  static long dropped(String metrics) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(DROPPED))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** The number of the term of the store's leader: each change adds one at least. */
  long regency() throws IOException {
    long newest = 0;
    for (int node = 0; node < NodeProcesses.NODES; node++) {
      NodeReport.ReplicaReport replica = report(node).replica();
      newest = replica == null ? newest : Math.max(newest, replica.regency());
    }
    return newest;
  }

  /** How often nodes stepped down so far, by their logs. */
  long stepsDown() throws IOException {
    long steps = 0;
    for (int node = 0; node < NodeProcesses.NODES; node++) {
      Path log = directory.resolve(nodes.plan().nodeId(node) + ".log");
      try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
        steps += lines.filter(line -> line.contains(STEPS_DOWN)).count();
      }
    }
    return steps;
  }

  /** How many switches a node acts on as their master. */
  long mastered(int node) throws IOException {
    return report(node).switches().stream().filter(one -> one.role().equals("master")).count();
  }

  private NodeReport report(int node) throws IOException {
    return new AdminClient(nodes.plan().adminEndpoint(node), ASK_MILLIS).report();
  }

  /** Memory of the largest node, in 10^6 bytes. */
  double residentMegabytes() throws IOException {
    double most = 0;
    for (ProcessHandle handle : nodes.handles()) {
      most = Math.max(most, LiveMemory.residentBytes(handle) / 1e6);
    }
    return most;
  }
}
