package io.lockstep.store.typed;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Some entries of a table, in the order of their keys' bytes.
 *
 * @param readable the entries that the codec reads
 * @param undecodable what it does not read: one such entry does not hide the others
 * @param more whether the table goes on behind {@link #last}
 * @param last the last key of the page, as bytes; empty where the page is empty
 */
public record Page<K, V>(
    Map<K, Versioned<V>> readable, List<Failure> undecodable, boolean more, Bytes last) {
  public Page {
    readable = Collections.unmodifiableMap(new LinkedHashMap<>(readable));
    undecodable = List.copyOf(undecodable);
  }

  static <K, V> Page<K, V> of(TableDef<K, V> def, Reply.Entries found) {
    Map<K, Versioned<V>> readable = new LinkedHashMap<>();
    List<Failure> undecodable = new ArrayList<>();
    Bytes last = Bytes.empty();
    for (Entry entry : found.entries()) {
      last = entry.key();
      decode(def, entry)
          .ifRead(
              pair -> readable.put(pair.key(), new Versioned<>(pair.value(), entry.version())),
              undecodable::add);
    }
    return new Page<>(readable, undecodable, found.more(), last);
  }

  /** A key and its value. */
  record Pair<K, V>(K key, V value) {}

  static <K, V> ReadResult<Pair<K, V>> decode(TableDef<K, V> def, Entry entry) {
    return Replies.decoded(
        new Place(def.name(), entry.key()),
        entry.value(),
        bytes -> new Pair<>(def.codec().decodeKey(entry.key()), def.codec().decodeValue(bytes)));
  }
}
