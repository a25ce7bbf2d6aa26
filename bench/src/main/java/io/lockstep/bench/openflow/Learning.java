package io.lockstep.bench.openflow;

import io.lockstep.bench.openflow.FlowExchange.Flow;
import java.util.ArrayDeque;

/**
 * Lets the controllers learn every host: the host announces itself, then a neighbour at another
 * port sends to it; once that packet is answered with the host's port, the host is known. Anything
 * else (silence while the controller does not trust the port yet, a flood) begins with the
 * announcement again.
 */
final class Learning implements Phase {
  /** Hosts in progress at once, over all switches. */
  static final int IN_PROGRESS = 64;

  /** An unanswered announcement or packet is repeated after this. */
  static final long PATIENCE_NANOS = 500_000_000L;

  private record Step(int switchIndex, int host, boolean announced) {}

  private final FlowExchange exchange;
  private final Sender sender;
  private final LoadPlan plan;
  private final ArrayDeque<Step> waiting = new ArrayDeque<>();
  private int unknown;

  Learning(FlowExchange exchange, Sender sender, LoadPlan plan) {
    this.exchange = exchange;
    this.sender = sender;
    this.plan = plan;
    for (int host = 0; host < plan.hosts(); host++) {
      for (int index = 0; index < plan.switches(); index++) {
        waiting.add(new Step(index, host, false));
      }
    }
    this.unknown = waiting.size();
  }

  @Override
  public void proceed(long nowNanos) {
    int untried = waiting.size();
    while (exchange.size() < IN_PROGRESS && untried-- > 0) {
      Step step = waiting.removeFirst();
      if (!send(step, nowNanos)) {
        waiting.addLast(step);
      }
    }
  }

  private boolean send(Step step, long nowNanos) {
    int source = step.announced ? neighbour(step.host) : step.host;
    int destination = step.announced ? step.host : -1;
    if (!sender.isHeard(step.switchIndex)
        || exchange.isOutstanding(step.switchIndex, source, destination)) {
      return false;
    }
    exchange.sent(step.switchIndex, source, destination, nowNanos);
    sender.packetIn(step.switchIndex, source, destination);
    return true;
  }

  /** The next host: it sits at the next port. */
  private int neighbour(int host) {
    int next = (host + 1) % plan.hosts();
    return plan.port(next) == plan.port(host) ? (next + 1) % plan.hosts() : next;
  }

  @Override
  public void answered(Flow flow, Answer answer, long nowNanos) {
    if (flow.destination < 0) {
      waiting.addLast(new Step(flow.switchIndex, flow.source, true));
    } else if (answer.leadsTo(plan.port(flow.destination))) {
      unknown--;
    } else {
      waiting.addLast(new Step(flow.switchIndex, flow.destination, false));
    }
  }

  @Override
  public void expired(Flow flow, long nowNanos) {
    // A controller may learn from an announcement and have no reason to answer it.
    boolean announcement = flow.destination < 0;
    int host = announcement ? flow.source : flow.destination;
    waiting.addLast(new Step(flow.switchIndex, host, announcement));
  }

  @Override
  public long deadlineNanos() {
    return PATIENCE_NANOS;
  }

  @Override
  public boolean isOver(long nowNanos) {
    return unknown == 0;
  }

  /** Hosts that the controllers do not know yet, as far as can be told. */
  int unknown() {
    return unknown;
  }
}
