package io.lockstep.core.state;

import io.lockstep.store.Change;
import io.lockstep.store.Entry;
import io.lockstep.store.StoreClient;
import io.lockstep.store.client.ChangeFeed;
import io.lockstep.store.engine.ChangeHints;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/** The feed of a node's views from the replicated store. Delivers on the store client's loop. */
public final class StoreFeed implements TableFeed {

  /** How often an idle feed asks. Every question is an ordered operation. */
  public static final long POLL_MILLIS = 20;

  private final StoreClient store;
  private final ScheduledExecutorService storeLoop;
  private final long pollMillis;
  private final @Nullable ChangeHints hints;
  private volatile @Nullable ChangeFeed feed;

  /**
   * A feed that does not run yet.
   *
   * @param storeLoop the loop of {@code store}
   */
  public StoreFeed(StoreClient store, ScheduledExecutorService storeLoop) {
    this(store, storeLoop, POLL_MILLIS, null);
  }

  private StoreFeed(
      StoreClient store,
      ScheduledExecutorService storeLoop,
      long pollMillis,
      @Nullable ChangeHints hints) {
    this.store = store;
    this.storeLoop = storeLoop;
    this.pollMillis = pollMillis;
    this.hints = hints;
  }

  /**
   * A feed that asks when a replica hints at a change. Otherwise it asks just often enough to renew
   * the lease, so an idle node sends nothing else: a hint that was lost costs one such interval.
   * Where no hints are given at present, it asks every {@link #POLL_MILLIS}.
   *
   * @param leaseMillis the time to live of the client's session
   */
  public static StoreFeed hinted(
      StoreClient store, ScheduledExecutorService storeLoop, int leaseMillis, ChangeHints hints) {
    return new StoreFeed(store, storeLoop, Math.max(1, leaseMillis * 15L / 64), hints);
  }

  @Override
  public void start(List<String> tables, Sink sink) {
    ChangeFeed following =
        new ChangeFeed(store, storeLoop, tables, pollMillis, new Deliveries(sink));
    if (hints != null) {
      following.follow(hints, POLL_MILLIS);
    }
    feed = following;
    following.start();
  }

  @Override
  public void poke() {
    ChangeFeed following = feed;
    if (following != null) {
      following.poke();
    }
  }

  @Override
  public void close() {
    ChangeFeed following = feed;
    if (following != null) {
      following.close();
    }
  }

  private record Deliveries(Sink sink) implements ChangeFeed.Listener {
    @Override
    public void snapshot(Map<String, List<Entry>> entries, long index) {
      sink.replace(entries, index);
    }

    @Override
    public void changes(List<Change> changes, long upToIndex) {
      sink.changes(changes, upToIndex);
    }
  }
}
