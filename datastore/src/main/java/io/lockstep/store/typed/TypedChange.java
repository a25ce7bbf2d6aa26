package io.lockstep.store.typed;

import java.util.Optional;

/**
 * A change of one entry.
 *
 * @param now the new value; empty where the entry was removed
 * @param index of the operation that made the change: the entry's version
 */
public record TypedChange<K, V>(K key, Optional<V> now, long index) {}
