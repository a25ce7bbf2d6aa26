package io.lockstep.store.core;

import io.lockstep.store.logging.BoundedLog;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Those who follow tables of this replica. All get a hint when a table of any of them changed: a
 * process has one as a rule. {@link #follow} is for any thread, the rest for the replica's.
 */
final class TableFollowers implements ChangeHints {
  private static final BoundedLog log = BoundedLog.of(TableFollowers.class);

  private final List<Follower> followers = new CopyOnWriteArrayList<>();

  /** The tables that know what is followed; others replace them with the state. */
  private @Nullable Tables informed;

  /** How many followers these tables know of. */
  private int informedOf;

  private long toldIndex;

  private record Follower(Set<String> tables, LongConsumer hint) {}

  @Override
  public void follow(Collection<String> tables, LongConsumer hint) {
    followers.add(new Follower(Set.copyOf(tables), hint));
  }

  /** A batch was applied, or the state was replaced. */
  void applied(Tables tables) {
    if (tables != informed || followers.size() != informedOf) {
      inform(tables);
    }
    long newest = tables.newestFollowed();
    if (newest != toldIndex) {
      toldIndex = newest;
      followers.forEach(follower -> tell(follower, newest));
    }
  }

  private void inform(Tables tables) {
    List<Follower> all = List.copyOf(followers);
    Set<String> names = new HashSet<>();
    all.forEach(follower -> names.addAll(follower.tables()));
    informed = tables;
    informedOf = all.size();
    tables.follow(names);
  }

  private void tell(Follower follower, long index) {
    try {
      follower.hint().accept(index);
    } catch (RuntimeException e) {
      // What follows a replica must not halt it; the follower asks by itself after a while.
      followers.remove(follower);
      log.error("follower", "a follower of {} gets no more hints: it failed", follower.tables(), e);
    }
  }
}
