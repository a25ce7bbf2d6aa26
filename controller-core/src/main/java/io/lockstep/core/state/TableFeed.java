package io.lockstep.core.state;

import io.lockstep.store.Change;
import io.lockstep.store.Entry;
import java.util.List;
import java.util.Map;

/** Where a node's views get the store's changes from: one feed for all tables of the node. */
public interface TableFeed extends AutoCloseable {

  /**
   * Begins to follow the tables: first {@link Sink#replace}, then changes. Called once. A store
   * that cannot be reached is asked again and again.
   */
  void start(List<String> tables, Sink sink);

  /** Something was written that the feed should show soon: asks now. Any thread. */
  default void poke() {}

  /** Stops; nothing is delivered afterwards, save what is being delivered. */
  @Override
  void close();

  /** Takes the changes in order, from one thread at a time. */
  interface Sink {

    /**
     * The tables as they were at {@code index}; every table that was asked for has an entry. Comes
     * first, and again whenever the history no longer reaches back to where the feed was.
     */
    void replace(Map<String, List<Entry>> tables, long index);

    /**
     * The next changes; those of one operation come together.
     *
     * @param upToIndex every change up to here has been delivered now
     */
    void changes(List<Change> changes, long upToIndex);
  }
}
