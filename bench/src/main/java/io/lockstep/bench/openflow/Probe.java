package io.lockstep.bench.openflow;

/**
 * A packet-out with a link probe.
 *
 * @param answer the packet-out as any other one
 * @param frame the probe; nobody else has it
 */
record Probe(Answer answer, byte[] frame) {}
