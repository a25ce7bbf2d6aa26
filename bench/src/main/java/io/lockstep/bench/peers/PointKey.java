package io.lockstep.bench.peers;

/** Which point: no two in a file have the same. */
record PointKey(
    String store, String workload, String variant, boolean durable, int round, int flows) {}
