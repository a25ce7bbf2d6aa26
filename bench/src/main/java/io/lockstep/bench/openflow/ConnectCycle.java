package io.lockstep.bench.openflow;

/**
 * Clients of one switch that open connections to its virtual IP, one after the other. They sit at
 * the last port, where no member is. Not thread-safe.
 */
final class ConnectCycle extends FlowCycle {
  private final LoadPlan plan;
  private int client;

  ConnectCycle(LoadPlan plan) {
    super(plan);
    this.plan = plan;
    this.client = plan.ports() - 1;
  }

  @Override
  void next() {
    client = client + plan.ports() < plan.hosts() ? client + plan.ports() : plan.ports() - 1;
  }

  @Override
  int source() {
    return client;
  }

  @Override
  int destination() {
    return LoadPlan.VIRTUAL;
  }
}
