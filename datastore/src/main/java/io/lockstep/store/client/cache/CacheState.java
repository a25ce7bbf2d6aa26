package io.lockstep.store.client.cache;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.cache.KeptAnswers.Answer;
import io.lockstep.store.client.cache.OperationInFlight.PendingRead;
import io.lockstep.store.client.cache.OwnedTable.TableOwnership;
import io.lockstep.store.client.cache.Slot.EntrySlot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The state of a cache: answers, operations in flight, owned tables. Thread-safe. No method waits
 * or calls other code, except for the future that {@link #underWay} shares with other readers.
 */
final class CacheState {
  private final KeptAnswers answers;
  private final OperationsInFlight flights = new OperationsInFlight();
  private final DoubtfulKeys doubtful = new DoubtfulKeys();
  private final Map<String, OwnedTable> owned = new HashMap<>();
  private long hits;
  private long shared;
  private long misses;
  private long bypassed;
  private long refusedWrites;

  CacheState(CacheOptions options) {
    answers = new KeptAnswers(options.maxEntries(), options.maxBytes());
  }

  /** How a read goes on: with a kept answer, another read to wait for, or a request of its own. */
  record ReadStart(
      @Nullable Reply kept,
      @Nullable CompletableFuture<Reply> underWay,
      @Nullable OperationInFlight own) {}

  /**
   * A read begins.
   *
   * @param stalenessNanos the staleness that it accepts; less than 0 to read from the store in any
   *     case
   */
  synchronized ReadStart read(
      PendingRead reading,
      Slot slot,
      TableOwnership ownership,
      long nowNanos,
      long stalenessNanos) {
    boolean exact = isOwned(ownership);
    if (stalenessNanos >= 0) {
      Reply kept = kept(reading.query(), slot, ownership, nowNanos, stalenessNanos);
      if (kept != null) {
        hits++;
        return new ReadStart(kept, null, null);
      }
      CompletableFuture<Reply> underWay =
          underWay(reading.query(), slot, ownership, nowNanos, stalenessNanos);
      if (underWay != null) {
        shared++;
        return new ReadStart(null, underWay, null);
      }
    }
    if (stalenessNanos > 0 || (stalenessNanos == 0 && exact)) {
      misses++;
    } else {
      bypassed++;
    }
    return new ReadStart(null, null, flights.begin(slot, ownership, nowNanos, false, reading));
  }

  /** Counts a read that the cache cannot answer. */
  synchronized void passOn() {
    bypassed++;
  }

  /** The version of an owned entry that surely has this value now; 0 where that is not known. */
  synchronized long versionOfKnown(Command.Put put, EntrySlot slot, TableOwnership ownership) {
    Command read = new Command.Get(put.table(), put.key());
    Reply kept = isOwned(ownership) ? kept(read, slot, ownership, 0, 0) : null;
    if (kept instanceof Reply.Found found && found.value().equals(put.value())) {
      hits++;
      return found.version();
    }
    return 0;
  }

  private static boolean isOwned(TableOwnership ownership) {
    return !ownership.equals(TableOwnership.NONE);
  }

  private @Nullable Reply kept(
      Command query, Slot slot, TableOwnership ownership, long nowNanos, long stalenessNanos) {
    Answer answer = answers.get(slot);
    if (answer == null) {
      return null;
    }
    if (!answer.ownership().equals(ownership) || !flights.counts(slot, answer.number())) {
      answers.remove(slot);
      return null;
    }
    boolean usable =
        isOwned(ownership) ? isExact(slot) : nowNanos - answer.sentNanos() < stalenessNanos;
    return usable && isAnswer(query, answer.reply()) ? answer.reply() : null;
  }

  /** Whether the kept answer about an entry of an owned table is exact. */
  private boolean isExact(Slot slot) {
    return slot instanceof EntrySlot place
        && !flights.writing(place)
        && !doubtful.contains(place.table(), place.key());
  }

  /**
   * A row does not answer a read of a value, whose caller must learn from the store that it is
   * wrong.
   */
  private static boolean isAnswer(Command query, Reply reply) {
    return !(query instanceof Command.Get && reply instanceof Reply.Columns)
        && !(query instanceof Command.GetColumns && reply instanceof Reply.Found);
  }

  private @Nullable CompletableFuture<Reply> underWay(
      Command query, Slot slot, TableOwnership ownership, long nowNanos, long stalenessNanos) {
    for (OperationInFlight flight : flights.of(slot)) {
      PendingRead reading = flight.joinable();
      boolean usable =
          isOwned(ownership) ? isExact(slot) : nowNanos - flight.sentNanos() < stalenessNanos;
      if (usable
          && flight.ownership().equals(ownership)
          && reading != null
          && reading.query().equals(query)
          && flights.counts(slot, flight.number())) {
        return reading.reply();
      }
    }
    return null;
  }

  /** A read from the store was answered. */
  synchronized void answered(OperationInFlight flight, Command query, Reply reply) {
    flights.end(flight);
    EntryObservation observation = EntryObservation.ofRead(query, reply);
    if (observation != null) {
      take(flight, observation);
    }
  }

  /** An operation begins on these entries, each with whether it may be written. */
  synchronized List<OperationInFlight> begin(
      Map<EntrySlot, Boolean> named, Map<EntrySlot, TableOwnership> ownerships, long nowNanos) {
    List<OperationInFlight> underWay = new ArrayList<>(named.size());
    named.forEach(
        (place, wrote) -> {
          TableOwnership ownership = ownerships.getOrDefault(place, TableOwnership.NONE);
          underWay.add(flights.begin(place, ownership, nowNanos, wrote, null));
        });
    return underWay;
  }

  /** The operation was answered. */
  synchronized void settle(Command command, Reply reply, List<OperationInFlight> underWay) {
    if (reply instanceof Reply.BatchRefused) {
      refusedWrites++;
    }
    Map<EntrySlot, EntryObservation> observations = EntryObservation.of(command, reply);
    for (OperationInFlight flight : underWay) {
      flights.end(flight);
    }
    for (OperationInFlight flight : underWay) {
      EntryObservation observed =
          flight.slot() instanceof EntrySlot place ? observations.remove(place) : null;
      if (observed != null) {
        take(flight, observed);
      }
    }
    // The entries on which a refused batch was decided.
    observations.forEach(
        (place, observed) -> {
          answers.remove(place);
          notifyOthers(place, observed);
        });
  }

  /** Applies the observation of an operation that has ended. */
  private void take(OperationInFlight flight, EntryObservation observation) {
    Slot slot = flight.slot();
    Reply content = observation.content();
    Answer kept = answers.get(slot);
    boolean same = kept != null && kept.reply().equals(content);
    if (observation.doubt()) {
      answers.remove(slot);
    } else if (content != null
        && flight.isNewest(observation.version())
        && flights.counts(slot, flight.number())) {
      if (!same || kept == null || flight.sentNanos() - kept.sentNanos() > 0) {
        answers.put(
            slot, new Answer(content, flight.sentNanos(), flight.number(), flight.ownership()));
      }
    } else if (!same && !flight.isOutdated(observation.version())) {
      // It is unknown which of the two came first.
      answers.remove(slot);
    }
    notifyOthers(slot, observation);
  }

  private void notifyOthers(Slot slot, EntryObservation observation) {
    for (OperationInFlight other : flights.of(slot)) {
      other.overtakenBy(observation);
    }
    if (slot instanceof EntrySlot place && observation.wrote()) {
      flights.written(place.table());
      if (observation.doubt()) {
        doubtful.add(place.table(), place.key());
      }
    }
  }

  /** A call begins that may write these tables, any where it is null. */
  synchronized void beginCall(@Nullable Collection<String> tables) {
    flights.beginCall(tables);
  }

  /** The call was answered. */
  synchronized void endCall(@Nullable Collection<String> tables, Reply reply) {
    flights.endCall(tables);
    if (reply instanceof Reply.Rejected) {
      return;
    }
    boolean lost = reply instanceof Reply.Unknown;
    if (tables == null) {
      answers.clear();
      flights.empty(null);
      if (lost) {
        doubtful.addAll();
      }
      return;
    }
    for (String table : tables) {
      // The next read of each answer finds it invalid.
      flights.empty(table);
      if (lost) {
        doubtful.addTable(table);
      }
    }
  }

  synchronized void own(String name, OwnedTable table) {
    owned.put(name, table);
    flights.empty(name);
    answers.removeTable(name);
  }

  synchronized @Nullable OwnedTable owned(Slot slot) {
    return slot instanceof EntrySlot place ? owned.get(place.table()) : null;
  }

  /** A session has begun or ended. */
  synchronized void sessionChanged(boolean opened) {
    answers.removeOwned();
    if (opened) {
      doubtful.clear();
    }
  }

  synchronized CacheStatistics statistics() {
    return new CacheStatistics(
        hits,
        shared,
        misses,
        bypassed,
        answers.evictions(),
        refusedWrites,
        answers.size(),
        answers.bytes());
  }
}
