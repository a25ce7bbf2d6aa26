package io.lockstep.bench.balancer;

import io.lockstep.bench.cluster.NodeProcesses;
import io.lockstep.bench.measure.Schedule;
import io.lockstep.bench.measure.WarmUpLoad;
import io.lockstep.bench.measure.WarmUpLoad.Warmth;
import io.lockstep.bench.openflow.LoadFigures;
import io.lockstep.bench.openflow.OpenFlowLoad;
import io.lockstep.bench.process.CpuMeter;
import io.lockstep.bench.runs.BenchException;
import java.util.concurrent.TimeoutException;

/**
 * Opens connections to the virtual IPs of nodes that keep as many records as their usual state has
 * room for. Before there are more, and before a point, the load pauses and the records are removed:
 * so a warm-up is as long as it has to be, and a point begins with empty tables. Used by one
 * thread.
 */
final class ConnectionLoad {
  /** More records exceed the state of a usual node. */
  static final int MOST_CONNECTIONS = 1 << 17;

  private final NodeProcesses nodes;
  private final OpenFlowLoad load;
  private final CpuMeter cpu;
  private final int deadlineMillis;
  private long kept;
  private long most;

  ConnectionLoad(NodeProcesses nodes, OpenFlowLoad load, int deadlineMillis) {
    this.nodes = nodes;
    this.load = load;
    this.cpu = new CpuMeter(nodes.handles());
    this.deadlineMillis = deadlineMillis;
  }

  /** Opens connections until that gets no better. */
  Warmth warmUp(int inFlight, int leastSeconds, int mostSeconds)
      throws BenchException, InterruptedException {
    return new WarmUpLoad(leastSeconds, Math.max(leastSeconds, mostSeconds))
        .<BenchException>run(slice -> open(inFlight, slice).slice());
  }

  /** Opens connections, while the records of those before are kept if there is room. */
  LoadFigures open(int inFlight, int seconds) throws BenchException, InterruptedException {
    if (kept + most + most / 8 > MOST_CONNECTIONS) {
      forget();
    }
    LoadFigures figures = run(inFlight, seconds);
    kept += figures.figures().answered() + inFlight;
    most = Math.max(most, figures.figures().answered());
    return figures;
  }

  /**
   * Opens connections on empty tables.
   *
   * @throws BenchException where not every connection that was answered has its record
   */
  LoadFigures measure(int inFlight, int seconds) throws BenchException, InterruptedException {
    forget();
    LoadFigures figures = run(inFlight, seconds);
    long records = new ServiceSetup(nodes.plan().adminEndpoint(0)).connections();
    if (records < figures.figures().answered()) {
      throw new BenchException(
          figures.figures().answered() + " connections were answered, " + records + " are kept");
    }
    kept = records;
    return figures;
  }

  private LoadFigures run(int inFlight, int seconds) throws BenchException, InterruptedException {
    try {
      return load.measure(inFlight, Schedule.ofSeconds(0, seconds, deadlineMillis), cpu);
    } catch (TimeoutException e) {
      throw new BenchException("the load does not end: " + e.getMessage(), e);
    }
  }

  private void forget() throws BenchException, InterruptedException {
    try (StoredConnections stored = StoredConnections.open(nodes)) {
      stored.forgetAll();
    }
    long left = new ServiceSetup(nodes.plan().adminEndpoint(0)).connections();
    if (left != 0) {
      throw new BenchException(left + " connections are still counted");
    }
    kept = 0;
  }
}
