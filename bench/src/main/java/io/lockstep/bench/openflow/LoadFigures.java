package io.lockstep.bench.openflow;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.lockstep.bench.measure.Figures;
import io.lockstep.bench.measure.WarmUp;
import io.lockstep.bench.measure.WarmUpLoad.Warmth;
import io.lockstep.bench.process.CpuMeter;
import org.jspecify.annotations.Nullable;

/**
 * One measured point of the load generator. Names of the components are the keys of the result
 * file.
 *
 * @param figures flow set-ups
 * @param misdirected flows sent in the window whose answer floods them or sends them to another
 *     port than their destination's; not among the set-ups
 * @param counts what else was counted, warm-up included
 * @param cpuPerFlow CPU time per flow set-up in the window
 * @param warmth of the system before the window; null for a window of the warm-up itself
 */
public record LoadFigures(
    @JsonUnwrapped Figures figures,
    long misdirected,
    @JsonUnwrapped Counts counts,
    @JsonUnwrapped CpuMeter.Use cpuPerFlow,
    @JsonUnwrapped @Nullable Warmth warmth) {

  /** What a slice of a warm-up gave. */
  public WarmUp.Slice slice() {
    return new WarmUp.Slice(figures.perSecond(), cpuPerFlow.allCpuMicros());
  }

  /** The same figures, measured on a system that was warmed up like this. */
  LoadFigures after(Warmth before) {
    return new LoadFigures(figures, misdirected, counts, cpuPerFlow, before);
  }

  /**
   * Counts of a stretch of time.
   *
   * @param byPacketOut packet-ins whose first answer was a packet-out
   * @param byFlowMod packet-ins whose first answer was a flow-mod
   * @param unrelated packet-outs and flow-mods that answered nothing outstanding: link probes, the
   *     second of a flow-mod and its packet-out, answers after the deadline
   * @param connectionsLost connections that broke
   */
  public record Counts(long byPacketOut, long byFlowMod, long unrelated, long connectionsLost) {
    Counts since(Counts before) {
      return new Counts(
          byPacketOut - before.byPacketOut,
          byFlowMod - before.byFlowMod,
          unrelated - before.unrelated,
          connectionsLost - before.connectionsLost);
    }
  }
}
