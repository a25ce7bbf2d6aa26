package io.lockstep.core.southbound;

/** Statistics of one flow table. */
public record TableStats(int tableId, long activeEntries, long lookups, long matched) {}
