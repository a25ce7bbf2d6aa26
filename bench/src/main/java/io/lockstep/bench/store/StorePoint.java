package io.lockstep.bench.store;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.lockstep.bench.measure.Figures;
import io.lockstep.bench.process.CpuMeter;

/** One measured point. Names of the components are the keys of the result file. */
record StorePoint(
    String workload, @JsonUnwrapped Figures flows, @JsonUnwrapped CpuMeter.Use cpuPerFlow) {}
