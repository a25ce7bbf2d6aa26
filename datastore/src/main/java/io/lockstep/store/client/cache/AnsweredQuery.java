package io.lockstep.store.client.cache;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;

/**
 * Pairs a query with the reply to it, so that a write can be made conditional on what was read.
 *
 * @param query a {@link Command.Get}, {@link Command.GetColumns} or {@link Command.GetThrough}
 * @param reply the store's reply, maybe from the cache
 */
public record AnsweredQuery(Command query, Reply reply) {

  /**
   * Holds while the entry is as it was seen.
   *
   * @throws IllegalStateException where the reply does not show one entry or its absence
   */
  public Command.Guard guard() {
    if (query instanceof Command.Get get) {
      return new Command.Guard(get.table(), get.key(), version());
    } else if (query instanceof Command.GetColumns get) {
      return new Command.Guard(get.table(), get.key(), version());
    }
    throw new IllegalStateException("no single entry can be guarded after " + query);
  }

  private long version() {
    if (reply instanceof Reply.Found found) {
      return found.version();
    } else if (reply instanceof Reply.Columns columns) {
      return columns.version();
    } else if (reply instanceof Reply.Absent) {
      return 0;
    }
    throw new IllegalStateException("no write can be decided on " + reply);
  }
}
