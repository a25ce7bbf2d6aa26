package io.lockstep.bench.openflow;

import io.lockstep.bench.measure.Schedule;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps a fixed number of new flows outstanding, over all switches in turn: an answer makes room
 * for the next flow. With one outstanding the latency is that of an idle system.
 */
final class ClosedLoop extends FlowLoop {
  private final int inFlight;

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
    super(exchange, sender, plan, flows, schedule, nowNanos);
    this.inFlight = inFlight;
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
    while (exchange.size() < inFlight && unheard < switches()) {
      unheard = send(nowNanos) ? 0 : unheard + 1;
    }
  }

  /** Lets the next switch send its next flow; false where it cannot. */
  private boolean send(long nowNanos) {
    int index = nextSwitch();
    if (!sender.isHeard(index)) {
      return false;
    }
    FlowCycle flow = nextFlow(index);
    if (flow == null) {
      return false;
    }
    window.sent(nowNanos);
    send(index, flow, nowNanos);
    return true;
  }
}
