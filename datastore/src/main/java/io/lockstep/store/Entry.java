package io.lockstep.store;

/**
 * One entry of a table.
 *
 * @param version index of the operation that last changed the entry; never repeats, never goes back
 */
public record Entry(Bytes key, Bytes value, long version) {}
