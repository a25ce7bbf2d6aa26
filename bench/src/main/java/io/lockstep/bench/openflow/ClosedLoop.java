package io.lockstep.bench.openflow;

import io.lockstep.bench.measure.Schedule;
import io.lockstep.bench.measure.Window;
import io.lockstep.bench.openflow.FlowExchange.Flow;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps a fixed number of new flows outstanding, over all switches in turn: an answer makes room
 * for the next flow. With one outstanding the latency is that of an idle system.
 *
 * <p>A flow is set up when the first answer to its packet-in sends it to the port of its
 * destination, alone. An answer that sends it elsewhere, or floods it, is counted as misdirected,
 * not as a set-up.
 */
final class ClosedLoop implements Phase {
  private final FlowExchange exchange;
  private final Sender sender;
  private final LoadPlan plan;
  private final int inFlight;
  private final Schedule schedule;
  private final Window window;
  private final List<FlowCycle> flows;
  private int turn;
  private long misdirected;

  /**
   * A point that begins its warm-up now.
   *
   * @param flows one for each switch; a later point goes on where this one ends
   */
  ClosedLoop(
      FlowExchange exchange,
      Sender sender,
      LoadPlan plan,
      List<FlowCycle> flows,
      int inFlight,
      Schedule schedule,
      long nowNanos) {
    this.exchange = exchange;
    this.sender = sender;
    this.plan = plan;
    this.flows = flows;
    this.inFlight = inFlight;
    this.schedule = schedule;
    this.window = new Window(nowNanos, schedule);
  }

  /** One cycle for each switch. */
  static List<FlowCycle> cycles(LoadPlan plan) {
    List<FlowCycle> cycles = new ArrayList<>();
    for (int i = 0; i < plan.switches(); i++) {
      cycles.add(new FlowCycle(plan));
    }
    return cycles;
  }

  @Override
  public void proceed(long nowNanos) {
    if (nowNanos - window.endNanos() >= 0) {
      return;
    }
    int unheard = 0;
    while (exchange.size() < inFlight && unheard < plan.switches()) {
      unheard = send(nowNanos) ? 0 : unheard + 1;
    }
  }

  /** Lets the next switch send its next flow; false where it cannot. */
  private boolean send(long nowNanos) {
    int index = turn;
    turn = turn + 1 == plan.switches() ? 0 : turn + 1;
    if (!sender.isHeard(index)) {
      return false;
    }
    FlowCycle flow = flows.get(index);
    flow.next();
    if (exchange.isOutstanding(index, flow.source(), flow.destination())) {
      return false;
    }
    exchange.sent(index, flow.source(), flow.destination(), nowNanos);
    window.sent(nowNanos);
    sender.packetIn(index, flow.source(), flow.destination());
    return true;
  }

  @Override
  public void answered(Flow flow, Answer answer, long nowNanos) {
    if (answer.leadsTo(plan.port(flow.destination))) {
      window.answered(flow.sentNanos, nowNanos);
    } else if (window.contains(flow.sentNanos)) {
      misdirected++;
    }
  }

  @Override
  public void expired(Flow flow, long nowNanos) {
    window.lost(flow.sentNanos);
  }

  @Override
  public long deadlineNanos() {
    return schedule.deadlineNanos();
  }

  @Override
  public boolean isOver(long nowNanos) {
    return nowNanos - window.endNanos() >= 0 && exchange.size() == 0;
  }

  /** Flows sent in the window whose answer did not send them to their destination's port. */
  long misdirected() {
    return misdirected;
  }

  /** What is measured. */
  Window window() {
    return window;
  }
}
