package io.lockstep.store.typed;

import java.util.List;
import java.util.Map;

/**
 * Receives the changes of a table, on the client's loop, which it must not block. A listener that
 * throws ends its watch, since it would miss a delivery; the log reports that.
 */
public interface WatchListener<K, V> {

  /**
   * All entries as of an index. Replaces everything delivered before: it comes first, and again
   * where the replicas' history no longer reaches back.
   */
  void snapshot(Map<K, Versioned<V>> entries, long index);

  /**
   * The next changes in order, those of one operation together.
   *
   * @param upToIndex every change up to it is delivered now
   */
  void changed(List<TypedChange<K, V>> changes, long upToIndex);

  /**
   * An entry of the snapshot, or a change, that the codec cannot read. It is delivered before the
   * others of the same snapshot or group, and is not among them. Earlier values of this key are out
   * of date.
   */
  void undecodable(Failure failure);
}
