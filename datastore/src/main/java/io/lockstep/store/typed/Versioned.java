package io.lockstep.store.typed;

/**
 * A value and the version of its entry, or for a column of its row.
 *
 * @param version index of the operation that wrote it last; never repeats, never goes back
 */
public record Versioned<V>(V value, long version) {}
