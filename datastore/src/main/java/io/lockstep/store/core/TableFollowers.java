package io.lockstep.store.core;

import io.lockstep.store.engine.ChangeHints;
import io.lockstep.store.logging.BoundedLog;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Those who follow tables of this replica: the feed of its own process, and clients elsewhere.
 * After each batch one number tells whether a table changed that any of them follows. {@link
 * #follow} and the end of a following are for any thread, the rest for the replica's.
 */
final class TableFollowers implements ChangeHints {
  private static final BoundedLog log = BoundedLog.of(TableFollowers.class);

  private final CopyOnWriteArrayList<Follower> followers = new CopyOnWriteArrayList<>();

  /** Counts the changes of the followers. */
  private final AtomicInteger changes = new AtomicInteger();

  /** The tables that know what is followed; others replace them with the state. */
  private @Nullable Tables informed;

  /** The count of changes that these tables know of. */
  private int informedOf;

  private long toldIndex;

  private static final class Follower {
    private final Set<String> tables;
    private final LongConsumer hint;

    /** Owned by the replica's thread. */
    private long toldIndex;

    Follower(Set<String> tables, LongConsumer hint) {
      this.tables = tables;
      this.hint = hint;
    }
  }

  @Override
  public Following follow(Collection<String> tables, LongConsumer hint) {
    Follower follower = new Follower(Set.copyOf(tables), hint);
    followers.add(follower);
    changes.incrementAndGet();
    return () -> {
      if (followers.remove(follower)) {
        changes.incrementAndGet();
      }
    };
  }

  /** A batch was applied, or the state was replaced. */
  void applied(Tables tables) {
    boolean changed = tables != informed || changes.get() != informedOf;
    if (changed) {
      inform(tables);
    }
    long newest = tables.newestFollowed();
    if (changed || newest != toldIndex) {
      toldIndex = newest;
      for (Follower follower : followers) {
        tell(follower, tables.newestOf(follower.tables));
      }
    }
  }

  private void inform(Tables tables) {
    informed = tables;
    informedOf = changes.get();
    Set<String> names = new HashSet<>();
    followers.forEach(follower -> names.addAll(follower.tables));
    tables.follow(names);
  }

  private void tell(Follower follower, long index) {
    if (index == follower.toldIndex) {
      return;
    }
    follower.toldIndex = index;
    try {
      follower.hint.accept(index);
    } catch (RuntimeException e) {
      // What follows a replica must not halt it; the follower asks by itself after a while.
      followers.remove(follower);
      changes.incrementAndGet();
      log.error("follower", "a follower of {} gets no more hints: it failed", follower.tables, e);
    }
  }
}
