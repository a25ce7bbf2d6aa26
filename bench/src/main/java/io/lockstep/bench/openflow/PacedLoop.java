package io.lockstep.bench.openflow;

import io.lockstep.bench.measure.Schedule;
import java.util.List;

/**
 * Sends new flows at a fixed rate, each at its own instant whether earlier ones were answered or
 * not. Latency counts from that instant, so a controller that stalls does not hide what it delayed.
 *
 * <p>A flow of a switch that no controller hears counts as lost.
 */
final class PacedLoop extends FlowLoop {
  private final long gapNanos;
  private long dueNanos;

  /**
   * A point that begins its warm-up now.
   *
   * @param flows one for each switch
   * @param perSecond flows a second, over all switches, 1 to 10 000
   */
  PacedLoop(
      FlowExchange exchange,
      Sender sender,
      LoadPlan plan,
      List<FlowCycle> flows,
      int perSecond,
      Schedule schedule,
      long nowNanos) {
    super(exchange, sender, plan, flows, schedule, nowNanos);
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
    int index = nextSwitch();
    FlowCycle flow = nextFlow(index);
    if (flow == null) {
      return;
    }
    window.sent(atNanos);
    if (sender.isHeard(index)) {
      send(index, flow, atNanos);
    } else {
      window.lost(atNanos);
    }
  }
}
