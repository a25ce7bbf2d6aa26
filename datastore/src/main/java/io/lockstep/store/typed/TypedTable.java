package io.lockstep.store.typed;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.typed.ReadResult.NotRead;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A table of values. Reads are linearizable; {@link #staleByAtMost} names what is weaker.
 * Thread-safe. Futures complete on the client's loop, at once where something is out of bounds, and
 * exceptionally only where a codec fails to encode.
 */
public final class TypedTable<K, V> {
  private final Submitter submitter;
  private final TableDef<K, V> def;

  TypedTable(Submitter submitter, TableDef<K, V> def) {
    this.submitter = submitter;
    this.def = def;
  }

  /**
   * The same table whose operations wait no longer than this. A read then fails, a write is of
   * unknown outcome; the client's own deadline, 10 s unless configured otherwise, stays.
   *
   * @param deadline 1 ms to 1 h, of each operation from its call on
   */
  public TypedTable<K, V> within(Duration deadline) {
    return new TypedTable<>(submitter.within(deadline), def);
  }

  /**
   * Reads of this table whose answers may be old.
   *
   * @param staleness how long ago an answer may have been right, 1 ms to 1 h
   */
  public StaleReads<K, V> staleByAtMost(Duration staleness) {
    return StaleReads.of(submitter, def, staleness);
  }

  /** Reads an entry; empty where there is none. */
  public CompletableFuture<ReadResult<Optional<Versioned<V>>>> get(K key) {
    Place place = place(key);
    return submitter
        .submit(new Command.Get(def.name(), place.key()), place, Bytes.empty())
        .thenApply(reply -> Replies.entry(place, reply, def.codec()::decodeValue));
  }

  /**
   * Reads the first entries in the order of their keys' bytes.
   *
   * @param limit 1 to 10 000; a page ends early once it is 1 MiB long
   */
  public CompletableFuture<ReadResult<Page<K, V>>> page(int limit) {
    return pageFrom(Bytes.empty(), limit);
  }

  /**
   * Reads the entries behind a page. Several pages are not one atomic read.
   *
   * @param last that of the page before
   */
  public CompletableFuture<ReadResult<Page<K, V>>> pageBehind(Bytes last, int limit) {
    return pageFrom(Bytes.wrap(Arrays.copyOf(last.toArray(), last.length() + 1)), limit);
  }

  private CompletableFuture<ReadResult<Page<K, V>>> pageFrom(Bytes from, int limit) {
    Place place = new Place(def.name(), from);
    return submitter
        .submit(new Command.Scan(def.name(), from, null, limit))
        .thenApply(
            reply ->
                reply instanceof Reply.Entries found
                    ? new ReadResult.Read<>(Page.of(def, found))
                    : new NotRead<>(Replies.failure(place, reply)));
  }

  /** Writes an entry without a condition on what was there; gives its version. */
  public CompletableFuture<WriteOutcome<Long>> put(K key, V value) {
    Place place = place(key);
    Bytes bytes = def.codec().encodeValue(value);
    return write(new Command.Put(def.name(), place.key(), bytes), place, bytes);
  }

  /** Writes an entry where there was none; gives its version. */
  public CompletableFuture<WriteOutcome<Long>> putIfAbsent(K key, V value) {
    Place place = place(key);
    Bytes bytes = def.codec().encodeValue(value);
    return write(new Command.PutIfAbsent(def.name(), place.key(), bytes), place, bytes);
  }

  /** Compare-and-set: writes an entry of this version; gives its new one. */
  public CompletableFuture<WriteOutcome<Long>> replace(K key, long expectedVersion, V value) {
    Place place = place(key);
    Bytes bytes = def.codec().encodeValue(value);
    return write(
        new Command.Replace(def.name(), place.key(), expectedVersion, bytes), place, bytes);
  }

  /** Removes an entry whatever it was; gives whether there was one. */
  public CompletableFuture<WriteOutcome<Boolean>> remove(K key) {
    Place place = place(key);
    return submitter
        .submit(new Command.Remove(def.name(), place.key()), place, Bytes.empty())
        .thenApply(reply -> Replies.removed(place, reply));
  }

  /** Removes an entry of this version; gives the index of the remove. */
  public CompletableFuture<WriteOutcome<Long>> remove(K key, long expectedVersion) {
    Place place = place(key);
    return write(
        new Command.RemoveVersion(def.name(), place.key(), expectedVersion), place, Bytes.empty());
  }

  /** Decodes an entry that a conflict shows. */
  public ReadResult<Versioned<V>> value(Entry entry) {
    return Replies.decoded(
            new Place(def.name(), entry.key()), entry.value(), def.codec()::decodeValue)
        .map(value -> new Versioned<>(value, entry.version()));
  }

  /**
   * Follows the table: first all of it, then every change; see {@link WatchListener}.
   *
   * @param poll how often an idle watch asks, 1 ms or more; each question is an ordered operation
   */
  public Watch watch(Duration poll, WatchListener<K, V> listener) {
    return Watch.start(submitter.cache(), submitter.loop(), def, poll, listener);
  }

  private CompletableFuture<WriteOutcome<Long>> write(Command command, Place place, Bytes value) {
    return submitter.write(command, place, value, Replies::version);
  }

  private Place place(K key) {
    return new Place(def.name(), def.codec().encodeKey(key));
  }
}
