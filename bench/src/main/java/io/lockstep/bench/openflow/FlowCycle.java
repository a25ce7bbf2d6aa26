package io.lockstep.bench.openflow;

/**
 * Ordered pairs of hosts of one switch that sit at different ports, each once before any comes
 * again. Not thread-safe.
 */
class FlowCycle {
  private final LoadPlan plan;
  private int source;
  private int distance = 1;

  FlowCycle(LoadPlan plan) {
    this.plan = plan;
  }

  /** Moves on to the next pair. */
  void next() {
    do {
      source++;
      if (source == plan.hosts()) {
        source = 0;
        distance = distance == plan.hosts() - 1 ? 1 : distance + 1;
      }
    } while (plan.port(source()) == plan.port(destination()));
  }

  /** The sending host of the present pair. */
  int source() {
    return source;
  }

  /** The receiving host of the present pair. */
  int destination() {
    return (source + distance) % plan.hosts();
  }
}
