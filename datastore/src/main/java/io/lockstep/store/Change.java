package io.lockstep.store;

import org.jspecify.annotations.Nullable;

/**
 * One change of one table.
 *
 * @param index index of the operation that made the change; all changes of one operation share it
 * @param value the new value, or null where the entry was removed
 */
public record Change(long index, String table, Bytes key, @Nullable Bytes value) {}
