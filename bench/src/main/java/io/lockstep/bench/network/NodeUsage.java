package io.lockstep.bench.network;

import io.lockstep.bench.cluster.NodeProcesses;
import io.lockstep.bench.runs.LiveMemory;
import java.io.IOException;
import java.util.List;

/**
 * CPU time and memory of the nodes, also of nodes that end and start again meanwhile: of a node
 * that ended, what it had used at the last {@link #sample()}. With the resolution of the system's
 * accounting, 10 ms on Linux. Used by one thread.
 */
final class NodeUsage {
  private final NodeProcesses nodes;
  private final long[] pids = new long[NodeProcesses.NODES];
  private final long[] lastNanos = new long[NodeProcesses.NODES];
  private long endedNanos;

  NodeUsage(NodeProcesses nodes) {
    this.nodes = nodes;
  }

  /** Reads the clocks of the processes; takes some ten microseconds for each. */
  void sample() {
    List<ProcessHandle> handles = nodes.handles();
    for (int node = 0; node < handles.size(); node++) {
      ProcessHandle handle = handles.get(node);
      if (pids[node] != handle.pid()) {
        endedNanos += lastNanos[node];
        lastNanos[node] = 0;
        pids[node] = handle.pid();
      }
      long before = lastNanos[node];
      long now = handle.info().totalCpuDuration().map(used -> used.toNanos()).orElse(before);
      lastNanos[node] = Math.max(before, now);
    }
  }

  /** CPU time of all nodes so far, as of the last sample. */
  double cpuSeconds() {
    long sum = endedNanos;
    for (long nanos : lastNanos) {
      sum += nanos;
    }
    return sum / 1e9;
  }

  /** Memory of the node that has the most, in 10^6 bytes. */
  double residentMegabytes() {
    double most = 0;
    for (ProcessHandle handle : nodes.handles()) {
      try {
        most = Math.max(most, handle.isAlive() ? LiveMemory.residentBytes(handle) / 1e6 : 0);
      } catch (IOException ended) {
        // It has ended between the two questions: it holds nothing.
      }
    }
    return most;
  }
}
