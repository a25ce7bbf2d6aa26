package io.lockstep.store.typed;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Entry;
import io.lockstep.store.StoreClient;
import io.lockstep.store.client.ChangeFeed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;

/** A table that is followed. Thread-safe. */
public final class Watch implements AutoCloseable {
  private final ChangeFeed feed;

  private Watch(ChangeFeed feed) {
    this.feed = feed;
  }

  static <K, V> Watch start(
      StoreClient client,
      ScheduledExecutorService loop,
      TableDef<K, V> def,
      Duration poll,
      WatchListener<K, V> listener) {
    if (poll.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("a watch that asks every " + poll + "; 1 ms is possible");
    }
    ChangeFeed feed =
        new ChangeFeed(
            client, loop, List.of(def.name()), poll.toMillis(), new Decoder<>(def, listener));
    feed.start();
    return new Watch(feed);
  }

  /** Asks for changes now and not at the next poll. */
  public void poke() {
    feed.poke();
  }

  /** Every change up to this index has been delivered; -1 before the first snapshot. */
  public long upToIndex() {
    return feed.upToIndex();
  }

  /**
   * Ends the delivery. Called on the loop, nothing is delivered after it; called by another thread,
   * one more delivery may follow.
   */
  @Override
  public void close() {
    feed.close();
  }

  /** Decodes what the feed delivers. */
  record Decoder<K, V>(TableDef<K, V> def, WatchListener<K, V> listener)
      implements ChangeFeed.Listener {

    @Override
    public void snapshot(Map<String, List<Entry>> entries, long index) {
      Map<K, Versioned<V>> readable = new LinkedHashMap<>();
      for (Entry entry : entries.getOrDefault(def.name(), List.of())) {
        Page.decode(def, entry)
            .ifRead(
                pair -> readable.put(pair.key(), new Versioned<>(pair.value(), entry.version())),
                listener::undecodable);
      }
      listener.snapshot(readable, index);
    }

    @Override
    public void changes(List<Change> changes, long upToIndex) {
      List<TypedChange<K, V>> readable = new ArrayList<>();
      for (Change change : changes) {
        typed(change).ifRead(readable::add, listener::undecodable);
      }
      if (!readable.isEmpty()) {
        listener.changed(List.copyOf(readable), upToIndex);
      }
    }

    private ReadResult<TypedChange<K, V>> typed(Change change) {
      Bytes value = change.value();
      return Replies.decoded(
          new Place(def.name(), change.key()),
          value == null ? Bytes.empty() : value,
          bytes ->
              new TypedChange<>(
                  def.codec().decodeKey(change.key()),
                  value == null ? Optional.empty() : Optional.of(def.codec().decodeValue(bytes)),
                  change.index()));
    }
  }
}
