package io.lockstep.core.state;

import io.lockstep.store.Bytes;

/**
 * Writes the records of one table as bytes and reads them back. Pure and thread-safe. A value
 * begins with a version byte, so that a later node can read what an earlier one wrote.
 *
 * <p>Both decoders throw an unchecked exception on bytes they do not understand.
 */
public interface RecordCodec<K, V> {
  Bytes encodeKey(K key);

  K decodeKey(Bytes bytes);

  Bytes encodeValue(V value);

  V decodeValue(Bytes bytes);
}
