package io.lockstep.bench.rest;

import io.lockstep.bench.measure.Figures;

/**
 * One round: flow set-ups alone, and then beside reads and writes over HTTP. Names of the
 * components are the keys of the result file.
 *
 * @param round from 1
 * @param alone flow set-ups without requests
 * @param beside flow set-ups with them
 * @param p99Ratio the 99th percentile of {@code beside} over that of {@code alone}
 */
record RestPoint(
    int round, Figures alone, Figures beside, Figures reads, Figures writes, double p99Ratio) {

  static RestPoint of(int round, Figures alone, Figures beside, Figures reads, Figures writes) {
    double ratio = Math.round(beside.p99Micros() / alone.p99Micros() * 100) / 100.0;
    return new RestPoint(round, alone, beside, reads, writes, ratio);
  }
}
