package io.lockstep.bench.openflow;

import io.lockstep.bench.measure.Schedule;
import io.lockstep.bench.measure.Window;
import io.lockstep.bench.openflow.FlowExchange.Flow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends new flows of all switches in turn and measures how long their set-ups take. When a flow is
 * sent is for subclasses to say.
 *
 * <p>A flow is set up when the first answer to its packet-in sends it to the port of its
 * destination, alone. An answer that sends it elsewhere, or floods it, is counted as misdirected,
 * not as a set-up.
 *
 * <p>Used by the load's thread only.
 */
abstract class FlowLoop implements Phase {
  final FlowExchange exchange;
  final Sender sender;
  private final LoadPlan plan;
  private final Schedule schedule;
  final Window window;
  private final List<FlowCycle> flows;
  private int turn;
  private long misdirected;

  /**
   * A point that begins its warm-up now.
   *
   * @param flows one for each switch; a later point goes on where this one ends
   */
  FlowLoop(
      FlowExchange exchange,
      Sender sender,
      LoadPlan plan,
      List<FlowCycle> flows,
      Schedule schedule,
      long nowNanos) {
    this.exchange = exchange;
    this.sender = sender;
    this.plan = plan;
    this.flows = flows;
    this.schedule = schedule;
    this.window = new Window(nowNanos, schedule);
  }

  final int switches() {
    return plan.switches();
  }

  /** The switch whose turn it is; the next time it is another one's. */
  final int nextSwitch() {
    int index = turn;
    turn = turn + 1 == plan.switches() ? 0 : turn + 1;
    return index;
  }

  /** The switch's next flow; null where that is outstanding already. */
  final @Nullable FlowCycle nextFlow(int index) {
    FlowCycle flow = flows.get(index);
    flow.next();
    return exchange.isOutstanding(index, flow.source(), flow.destination()) ? null : flow;
  }

  final void send(int index, FlowCycle flow, long nowNanos) {
    exchange.sent(index, flow.source(), flow.destination(), nowNanos);
    sender.packetIn(index, flow.source(), flow.destination());
  }

  @Override
  public void answered(Flow flow, Answer answer, long nowNanos) {
    if (isRight(flow, answer)) {
      window.answered(flow.sentNanos, nowNanos);
    } else if (window.contains(flow.sentNanos)) {
      misdirected++;
    }
  }

  /** Whether the packet is sent to its destination, or to a member of the virtual IP. */
  private boolean isRight(Flow flow, Answer answer) {
    return flow.destination == LoadPlan.VIRTUAL
        ? answer.outputs() == 1 && answer.outPort() >= 1 && answer.outPort() <= LoadPlan.MEMBERS
        : answer.leadsTo(plan.port(flow.destination));
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
