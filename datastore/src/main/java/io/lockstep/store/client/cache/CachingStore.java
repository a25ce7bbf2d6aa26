package io.lockstep.store.client.cache;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.client.cache.CacheState.ReadStart;
import io.lockstep.store.client.cache.OperationInFlight.PendingRead;
import io.lockstep.store.client.cache.OwnedTable.TableOwnership;
import io.lockstep.store.client.cache.Slot.EntrySlot;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store's client with a cache (section IV-E of the paper). Its promises hold where all writes of
 * this client go through it:
 *
 * <ul>
 *   <li>A read gives a value, or an absence, that was right at some time within the staleness it
 *       accepts: the age of an answer counts from when its request was sent.
 *   <li>After the reply to a write, no read returns anything older than that write, in whatever
 *       order replies arrive.
 *   <li>Entries of a table that is owned ({@link #own}), and entries that the caller owns ({@link
 *       #readOwned}), are as exact as reads from the store.
 *   <li>A write can carry the reads on which it was decided, and is refused if those entries have
 *       changed.
 * </ul>
 *
 * <p>Thread-safe: one lock, never held while the client or the caller's code runs. Futures complete
 * on the client's loop, but for a read that the cache answers, whose future is complete at once.
 */
public final class CachingStore implements StoreClient {
  private final StoreClient client;
  private final LongSupplier nanoClock;
  private final CacheOptions options;
  private final CacheState state;

  private CachingStore(StoreClient client, LongSupplier nanoClock, CacheOptions options) {
    this.client = client;
    this.nanoClock = nanoClock;
    this.options = options;
    state = new CacheState(options);
  }

  /**
   * A cache over {@code client}, which is closed with it.
   *
   * @param nanoClock the one that {@code client} measures its session's validity with
   */
  public static CachingStore over(
      StoreClient client, LongSupplier nanoClock, CacheOptions options) {
    CachingStore store = new CachingStore(client, nanoClock, options);
    client.onSessionChange(
        new SessionListener() {
          @Override
          public void opened(long sessionId) {
            store.state.sessionChanged(true);
          }

          @Override
          public void ended(long sessionId) {
            store.state.sessionChanged(false);
          }
        });
    return store;
  }

  /**
   * Reads an entry, a row, through references, or what a component makes of entries.
   *
   * @param query a {@link Command.Get}, {@link Command.GetColumns}, {@link Command.GetThrough} or
   *     {@link Command.Query}; of columns, only whole rows are kept, and an answer to a query only
   *     until a write of this cache ends
   * @param stalenessMillis how long ago the answer may have been right, 0 or more; with 0 the cache
   *     is bypassed, unless the table is owned
   */
  public CompletableFuture<AnsweredQuery> read(Command query, long stalenessMillis) {
    if (stalenessMillis < 0) {
      throw new IllegalArgumentException("a staleness of " + stalenessMillis + " ms");
    }
    if (!isQuery(query) && !(query instanceof Command.Query)) {
      throw new IllegalArgumentException("not a read of an entry: " + query);
    }
    return fetch(query, TimeUnit.MILLISECONDS.toNanos(stalenessMillis));
  }

  /**
   * Reads an entry that only this client writes now, which the caller knows: exact, and from the
   * cache where all that was learned about it under this term allows that. {@link #own} is the same
   * for whole tables.
   *
   * @param term a number that was never there before each time this client comes to own the entry;
   *     one for another entry is fine
   */
  public CompletableFuture<AnsweredQuery> readOwned(Command.Get query, long term) {
    return fetch(query, 0, ownership(term));
  }

  /**
   * Writes an entry that only this client writes now. Where the cache knows exactly that the entry
   * has this value already, nothing is sent, and the reply is {@link Reply.Applied} with the
   * version that the entry has.
   *
   * @param term as in {@link #readOwned}
   */
  public CompletableFuture<Reply> putOwned(Command.Put put, long term) {
    EntrySlot place = new EntrySlot(put.table(), put.key());
    TableOwnership ownership = ownership(term);
    long known = state.versionOfKnown(put, place, ownership);
    return known > 0
        ? CompletableFuture.completedFuture(new Reply.Applied(known))
        : written(put, Map.of(place, true), Map.of(place, ownership));
  }

  private TableOwnership ownership(long term) {
    return TableOwnership.of(term, client.session(), nanoClock.getAsLong());
  }

  private static boolean isQuery(Command command) {
    return command instanceof Command.Get
        || command instanceof Command.GetColumns
        || command instanceof Command.GetThrough;
  }

  /** A read from the cache where that is fresh enough; never where staleness is less than 0. */
  private CompletableFuture<AnsweredQuery> fetch(Command query, long stalenessNanos) {
    return fetch(query, stalenessNanos, null);
  }

  /**
   * The same.
   *
   * @param known the ownership of the entry; null where that of its table counts
   */
  private CompletableFuture<AnsweredQuery> fetch(
      Command query, long stalenessNanos, @Nullable TableOwnership known) {
    Slot slot = Slot.of(query, options.tables());
    if (slot == null) {
      state.passOn();
      return client.submit(query).thenApply(reply -> new AnsweredQuery(query, reply));
    }
    TableOwnership ownership = known == null ? ownership(slot) : known;
    PendingRead reading = new PendingRead(query, new CompletableFuture<>());
    ReadStart start = state.read(reading, slot, ownership, nanoClock.getAsLong(), stalenessNanos);
    if (start.kept() != null) {
      return CompletableFuture.completedFuture(new AnsweredQuery(query, start.kept()));
    }
    if (start.underWay() != null) {
      return start.underWay().thenApply(reply -> new AnsweredQuery(query, reply));
    }
    OperationInFlight flight = start.own();
    if (flight == null) {
      throw new IllegalStateException("a read without an answer to come");
    }
    return client
        .submit(query)
        .thenApply(
            reply -> {
              state.answered(flight, query, reply);
              reading.reply().complete(reply);
              return new AnsweredQuery(query, reply);
            });
  }

  private TableOwnership ownership(Slot slot) {
    OwnedTable table = state.owned(slot);
    return table == null
        ? TableOwnership.NONE
        : table.ownership(client.session(), nanoClock.getAsLong());
  }

  /**
   * {@inheritDoc} A read goes to the store. A {@link Command.Call} empties the cache when it is
   * answered, since it may have written any table; see {@link #call}.
   */
  @Override
  public CompletableFuture<Reply> submit(Command command) {
    if (command instanceof Command.Call call) {
      return called(call, null);
    }
    return isQuery(command) ? fetch(command, -1).thenApply(AnsweredQuery::reply) : written(command);
  }

  /**
   * Carries out commands as one batch if what they were decided on has not changed: {@link
   * Reply.Batched}, or {@link Reply.BatchRefused}, upon which everything that was decided on and
   * was to be written is dropped from the cache, so that it is read anew.
   *
   * @param decidedOn reads that each gave one entry or its absence
   * @throws IllegalStateException where one did not
   */
  public CompletableFuture<Reply> write(
      List<Command> commands, Collection<AnsweredQuery> decidedOn) {
    return written(
        new Command.Batch(decidedOn.stream().map(AnsweredQuery::guard).toList(), commands));
  }

  private CompletableFuture<Reply> written(Command command) {
    Map<EntrySlot, Boolean> named = EntryObservation.namedBy(command);
    Map<EntrySlot, TableOwnership> ownerships = new HashMap<>();
    named.keySet().forEach(place -> ownerships.put(place, ownership(place)));
    return written(command, named, ownerships);
  }

  private CompletableFuture<Reply> written(
      Command command, Map<EntrySlot, Boolean> named, Map<EntrySlot, TableOwnership> ownerships) {
    List<OperationInFlight> underWay = state.begin(named, ownerships, nanoClock.getAsLong());
    return client
        .submit(command)
        .thenApply(
            reply -> {
              state.settle(command, reply, underWay);
              return reply;
            });
  }

  /**
   * Runs a micro component that writes nothing but these tables; what the cache holds of them is
   * dropped once it is answered.
   */
  public CompletableFuture<Reply> call(Command.Call call, Collection<String> tables) {
    return called(call, List.copyOf(tables));
  }

  private CompletableFuture<Reply> called(Command.Call call, @Nullable Collection<String> tables) {
    state.beginCall(tables);
    return client
        .submit(call)
        .thenApply(
            reply -> {
              state.endCall(tables, reply);
              return reply;
            });
  }

  /**
   * Declares that only this client writes {@code table}, while {@code term} is not 0 and the
   * session is surely alive. Meanwhile the cache answers reads of its entries exactly, whatever
   * staleness a read accepts; after that it forgets them. If the outcome of a write is unknown,
   * reads of its key go to the store until there is another session.
   *
   * @param term a number that was never there before each time the table comes to be owned, such as
   *     the epoch of a mastership; 0 while it is not. Any thread; must not wait
   */
  public void own(String table, LongSupplier term) {
    state.own(table, new OwnedTable(term));
  }

  /** The statistics of the cache. */
  public CacheStatistics statistics() {
    return state.statistics();
  }

  @Override
  public SessionState session() {
    return client.session();
  }

  @Override
  public void onSessionChange(SessionListener listener) {
    client.onSessionChange(listener);
  }

  @Override
  public void close() {
    client.close();
  }
}
