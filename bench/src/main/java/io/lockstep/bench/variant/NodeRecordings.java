package io.lockstep.bench.variant;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.bench.cluster.NodeProcesses;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.deploy.launch.ClusterPlan;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.deploy.status.AdminClient.JsonAnswer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Recordings at all nodes of a cluster, over their admin HTTP. Used by one thread. */
record NodeRecordings(ClusterPlan plan) {
  private static final int ASK_MILLIS = 20_000;
  private static final int MEGABYTES = 16;

  /** Starts one at each node. */
  void start() throws BenchException {
    for (int node = 0; node < NodeProcesses.NODES; node++) {
      ask(node, "PUT", "?file=variant.trace&megabytes=" + MEGABYTES, 201);
    }
  }

  /** Events that a node has recorded so far. */
  long events(int node) throws BenchException {
    return ask(node, "GET", "", 200).path("events").asLong();
  }

  /**
   * Ends them.
   *
   * @return the traces, in the order of the nodes
   */
  List<Path> stop() throws BenchException {
    List<Path> traces = new ArrayList<>();
    for (int node = 0; node < NodeProcesses.NODES; node++) {
      JsonNode state = ask(node, "GET", "", 200);
      // One that is full has ended by itself.
      if (state.path("state").asText().equals("recording")) {
        state = ask(node, "DELETE", "", 200);
      }
      traces.add(Path.of(state.path("file").asText()));
    }
    return traces;
  }

  private JsonNode ask(int node, String method, String query, int expected) throws BenchException {
    String endpoint = plan.adminEndpoint(node);
    try {
      JsonAnswer answer = new AdminClient(endpoint, ASK_MILLIS).recording(method, query);
      if (answer.status() != expected) {
        throw new BenchException("the recording of " + endpoint + ": " + answer.body());
      }
      return answer.body();
    } catch (IOException e) {
      throw new BenchException("the recording of " + endpoint + ": " + e.getMessage(), e);
    }
  }
}
