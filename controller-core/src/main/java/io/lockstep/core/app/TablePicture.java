package io.lockstep.core.app;

import io.lockstep.store.Entry;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What an application makes of whole tables of its own, such as its configuration, so that it can
 * decide on most packets without a question to the store. The node reads the tables, follows their
 * changes, and makes the object again when they changed; {@link NetworkView#picture} shows it. It
 * may be older than the last linearizable read: what must not be wrong is asked with a command.
 *
 * <p>For tables that are small and change seldom: each change makes the whole object again. A
 * picture is itself and equal to no other one; an application keeps it in a constant.
 *
 * @param <T> an immutable object
 */
public final class TablePicture<T> {
  /** Tables at most. */
  public static final int MOST_TABLES = 8;

  private final List<String> tables;
  private final Function<Map<String, List<Entry>>, T> make;

  /**
   * A picture of some tables.
   *
   * @param tables 1 to {@link #MOST_TABLES} of the application's own tables
   * @param make is called with the entries of each table in the order of their keys; pure. Called
   *     with empty tables before the node has read the store. Where it throws, the node keeps the
   *     picture that it has and counts a failure of the application
   */
  public TablePicture(List<String> tables, Function<Map<String, List<Entry>>, T> make) {
    if (tables.isEmpty() || tables.size() > MOST_TABLES) {
      throw new IllegalArgumentException("1 to " + MOST_TABLES + " tables, not " + tables.size());
    }
    this.tables = List.copyOf(tables);
    this.make = make;
  }

  /** The tables. */
  public List<String> tables() {
    return tables;
  }

  /** Makes the object from the entries of each table. */
  public T of(Map<String, List<Entry>> entries) {
    return make.apply(entries);
  }
}
