package io.lockstep.bench.openflow;

import io.lockstep.bench.measure.Schedule;
import io.lockstep.bench.measure.Window;
import io.lockstep.bench.openflow.FlowExchange.Flow;
import java.util.List;

/**
 * Sends new flows at a fixed rate, each at its own instant whether earlier ones were answered or
 * not. Latency counts from that instant, so a controller that stalls does not hide what it delayed.
 *
 * <p>A flow of a switch that no controller hears counts as lost.
 */
final class PacedLoop implements Phase {
  private final FlowExchange exchange;
  private final Sender sender;
  private final LoadPlan plan;
  private final Schedule schedule;
  private final Window window;
  private final List<FlowCycle> flows;
  private final long gapNanos;
  private long dueNanos;
  private int turn;
  private long misdirected;

  /**
   * A point that begins its warm-up now.
   *
   * @param flows one for each switch
   * @param perSecond flows a second, over all switches, 1 to 1000
   */
  PacedLoop(
      FlowExchange exchange,
      Sender sender,
      LoadPlan plan,
      List<FlowCycle> flows,
      int perSecond,
      Schedule schedule,
      long nowNanos) {
    this.exchange = exchange;
    this.sender = sender;
    this.plan = plan;
    this.flows = flows;
    this.schedule = schedule;
    this.window = new Window(nowNanos, schedule);
    this.gapNanos = 1_000_000_000L / perSecond;
    this.dueNanos = nowNanos;
  }

  @Override
  public void proceed(long nowNanos) {
    while (nowNanos - dueNanos >= 0 && window.endNanos() - dueNanos > 0) {
      send(dueNanos);
      dueNanos += gapNanos;
    }
  }

  private void send(long atNanos) {
    int index = turn;
    turn = (turn + 1) % plan.switches();
    FlowCycle flow = flows.get(index);
    flow.next();
    if (exchange.isOutstanding(index, flow.source(), flow.destination())) {
      return;
    }
    window.sent(atNanos);
    if (!sender.isHeard(index)) {
      window.lost(atNanos);
      return;
    }
    exchange.sent(index, flow.source(), flow.destination(), atNanos);
    sender.packetIn(index, flow.source(), flow.destination());
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
