package io.lockstep.store.core;

import io.lockstep.store.logging.BoundedLog;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongConsumer;

/** Those who follow tables of this replica; the replica's thread, where not said otherwise. */
final class TableFollowers implements ChangeHints {
  private static final BoundedLog log = BoundedLog.of(TableFollowers.class);

  private final List<Follower> followers = new CopyOnWriteArrayList<>();

  private static final class Follower {
    private final List<String> tables;
    private final LongConsumer hint;
    private long toldIndex;

    Follower(Collection<String> tables, LongConsumer hint) {
      this.tables = List.copyOf(tables);
      this.hint = hint;
    }
  }

  @Override
  public void follow(Collection<String> tables, LongConsumer hint) {
    followers.add(new Follower(tables, hint));
  }

  /** A batch was applied, or the state was replaced. */
  void applied(Tables tables) {
    for (Follower follower : followers) {
      long newest = 0;
      for (String name : follower.tables) {
        newest = Math.max(newest, tables.newestChange(name));
      }
      if (newest != follower.toldIndex) {
        follower.toldIndex = newest;
        tell(follower, newest);
      }
    }
  }

  private void tell(Follower follower, long index) {
    try {
      follower.hint.accept(index);
    } catch (RuntimeException e) {
      // What follows a replica must not halt it; the follower asks by itself after a while.
      followers.remove(follower);
      log.error("follower", "a follower of {} gets no more hints: it failed", follower.tables, e);
    }
  }
}
