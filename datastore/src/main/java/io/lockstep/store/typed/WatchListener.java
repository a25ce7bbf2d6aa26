package io.lockstep.store.typed;

import java.util.List;
import java.util.Map;

/**
 * Hears of a table, on the client's loop, which it must not block. A listener that throws ends its
 * watch, since there would be a gap behind it; the log names it.
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
   * An entry of the snapshot or a change that the codec cannot read; told before the others that
   * came with it, and left out there. What was delivered of this key before is out of date.
   */
  void undecodable(Failure failure);
}
