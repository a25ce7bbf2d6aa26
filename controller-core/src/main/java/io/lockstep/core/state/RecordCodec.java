package io.lockstep.core.state;

import io.lockstep.store.typed.EntryCodec;

/**
 * Writes the records of one table as bytes and reads them back. Pure and thread-safe. A value
 * begins with a version byte, so that a later node can read what an earlier one wrote.
 */
public interface RecordCodec<K, V> extends EntryCodec<K, V> {}
