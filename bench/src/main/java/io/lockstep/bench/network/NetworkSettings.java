package io.lockstep.bench.network;

/**
 * How a network is measured.
 *
 * @param restSeconds length of the phase rest
 * @param flowsPerSecond new flows
 * @param deadlineSeconds of each phase
 * @param keys whether the links between nodes use TLS
 */
record NetworkSettings(int restSeconds, int flowsPerSecond, int deadlineSeconds, boolean keys) {}
