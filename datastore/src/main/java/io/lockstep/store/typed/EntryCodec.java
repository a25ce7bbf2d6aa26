package io.lockstep.store.typed;

import io.lockstep.store.Bytes;

/**
 * Writes keys and values of one table as bytes and reads them back. Pure and thread-safe.
 *
 * <p>Both decoders throw an unchecked exception on bytes they do not understand.
 */
public interface EntryCodec<K, V> {
  Bytes encodeKey(K key);

  K decodeKey(Bytes bytes);

  Bytes encodeValue(V value);

  V decodeValue(Bytes bytes);

  /** Of a codec for keys and one for values. */
  static <K, V> EntryCodec<K, V> of(Codec<K> keys, Codec<V> values) {
    return new EntryCodec<>() {
      @Override
      public Bytes encodeKey(K key) {
        return keys.encode(key);
      }

      @Override
      public K decodeKey(Bytes bytes) {
        return keys.decode(bytes);
      }

      @Override
      public Bytes encodeValue(V value) {
        return values.encode(value);
      }

      @Override
      public V decodeValue(Bytes bytes) {
        return values.decode(bytes);
      }
    };
  }
}
