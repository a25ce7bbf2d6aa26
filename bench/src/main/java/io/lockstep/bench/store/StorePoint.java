package io.lockstep.bench.store;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.lockstep.bench.measure.Figures;
import io.lockstep.bench.measure.WarmUp;
import io.lockstep.bench.measure.WarmUpLoad.Warmth;
import io.lockstep.bench.process.CpuMeter;
import org.jspecify.annotations.Nullable;

/** One measured point. Names of the components are the keys of the result file. */
record StorePoint(
    String workload,
    @JsonUnwrapped Figures flows,
    @JsonUnwrapped CpuMeter.Use cpuPerFlow,
    @JsonUnwrapped @Nullable Warmth warmth) {

  /** What a slice of a warm-up gave. */
  WarmUp.Slice slice() {
    return new WarmUp.Slice(flows.perSecond(), cpuPerFlow.allCpuMicros());
  }

  /** The same figures, measured on a system that was warmed up like this. */
  StorePoint after(Warmth before) {
    return new StorePoint(workload, flows, cpuPerFlow, before);
  }
}
