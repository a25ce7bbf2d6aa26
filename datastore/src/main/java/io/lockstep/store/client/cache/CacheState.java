package io.lockstep.store.client.cache;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.cache.Flight.Reading;
import io.lockstep.store.client.cache.KeptAnswers.Answer;
import io.lockstep.store.client.cache.OwnedTable.TableOwnership;
import io.lockstep.store.client.cache.Slot.Place;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What the cache knows: answers, operations under way, owned tables. Thread-safe; nothing in here
 * waits or calls out, but for the completion that {@link #underWay} hands to others.
 */
final class CacheState {
  private final KeptAnswers answers;
  private final Flights flights = new Flights();
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

  /** What a read came to: an answer, another read to wait for, or a flight of its own. */
  record Start(
      @Nullable Reply kept, @Nullable CompletableFuture<Reply> underWay, @Nullable Flight own) {}

  /**
   * A read begins.
   *
   * @param stalenessNanos what it accepts; less than 0 to read from the store in any case
   */
  synchronized Start read(
      Reading reading, Slot slot, TableOwnership ownership, long nowNanos, long stalenessNanos) {
    boolean exact = note(slot, ownership);
    if (stalenessNanos >= 0) {
      Reply kept = kept(reading.query(), slot, exact, nowNanos, stalenessNanos);
      if (kept != null) {
        hits++;
        return new Start(kept, null, null);
      }
      CompletableFuture<Reply> underWay =
          underWay(reading.query(), slot, exact, nowNanos, stalenessNanos);
      if (underWay != null) {
        shared++;
        return new Start(null, underWay, null);
      }
    }
    if (stalenessNanos > 0 || (stalenessNanos == 0 && exact)) {
      misses++;
    } else {
      bypassed++;
    }
    return new Start(null, null, flights.begin(slot, nowNanos, false, reading));
  }

  /** A read that cannot be answered from the cache. */
  synchronized void passOn() {
    bypassed++;
  }

  private @Nullable Reply kept(
      Command query, Slot slot, boolean exact, long nowNanos, long stalenessNanos) {
    Answer answer = answers.get(slot);
    if (answer == null) {
      return null;
    }
    if (!flights.counts(slot, answer.number())) {
      answers.remove(slot);
      return null;
    }
    boolean usable = !exact ? nowNanos - answer.sentNanos() < stalenessNanos : isExact(slot);
    return usable && isAnswer(query, answer.reply()) ? answer.reply() : null;
  }

  /** Whether what is known of an owned table's entry is exact. */
  private boolean isExact(Slot slot) {
    return slot instanceof Place place
        && !flights.writing(place)
        && !doubtful.contains(place.table(), place.key());
  }

  /** A row is no answer to a reader of values, who is to hear from the store that it is wrong. */
  private static boolean isAnswer(Command query, Reply reply) {
    return !(query instanceof Command.Get && reply instanceof Reply.Columns)
        && !(query instanceof Command.GetColumns && reply instanceof Reply.Found);
  }

  private @Nullable CompletableFuture<Reply> underWay(
      Command query, Slot slot, boolean exact, long nowNanos, long stalenessNanos) {
    for (Flight flight : flights.of(slot)) {
      Reading reading = flight.joinable();
      boolean usable = !exact ? nowNanos - flight.sentNanos() < stalenessNanos : isExact(slot);
      if (usable
          && reading != null
          && reading.query().equals(query)
          && flights.counts(slot, flight.number())) {
        return reading.reply();
      }
    }
    return null;
  }

  /** A read from the store was answered. */
  synchronized void answered(Flight flight, Command query, Reply reply) {
    flights.end(flight);
    EntryNews news = EntryNews.ofRead(query, reply);
    if (news != null) {
      take(flight, news);
    }
  }

  /** An operation begins on these entries, each with whether it may be written. */
  synchronized List<Flight> begin(
      Map<Place, Boolean> named, Map<Place, TableOwnership> ownerships, long nowNanos) {
    List<Flight> underWay = new ArrayList<>(named.size());
    named.forEach(
        (place, wrote) -> {
          note(place, ownerships.getOrDefault(place, TableOwnership.NONE));
          underWay.add(flights.begin(place, nowNanos, wrote, null));
        });
    return underWay;
  }

  /** It was answered. */
  synchronized void settle(Command command, Reply reply, List<Flight> underWay) {
    if (reply instanceof Reply.BatchRefused) {
      refusedWrites++;
    }
    Map<Place, EntryNews> news = EntryNews.of(command, reply);
    for (Flight flight : underWay) {
      flights.end(flight);
    }
    for (Flight flight : underWay) {
      EntryNews told = flight.slot() instanceof Place place ? news.remove(place) : null;
      if (told != null) {
        take(flight, told);
      }
    }
    // What a refused batch was decided on.
    news.forEach(
        (place, told) -> {
          answers.remove(place);
          tellOthers(place, told);
        });
  }

  /** An operation that is no longer under way saw something. */
  private void take(Flight flight, EntryNews news) {
    Slot slot = flight.slot();
    Reply content = news.content();
    Answer kept = answers.get(slot);
    boolean same = kept != null && kept.reply().equals(content);
    if (news.doubt()) {
      answers.remove(slot);
    } else if (content != null
        && flight.isNewest(news.version())
        && flights.counts(slot, flight.number())) {
      if (!same || kept == null || flight.sentNanos() - kept.sentNanos() > 0) {
        answers.put(slot, new Answer(content, flight.sentNanos(), flight.number()));
      }
    } else if (!same && !flight.isOutdated(news.version())) {
      // Which of the two came first cannot be told.
      answers.remove(slot);
    }
    tellOthers(slot, news);
  }

  private void tellOthers(Slot slot, EntryNews news) {
    for (Flight other : flights.of(slot)) {
      other.overtakenBy(news);
    }
    if (slot instanceof Place place && news.wrote()) {
      flights.written(place.table());
      if (news.doubt()) {
        doubtful.add(place.table(), place.key());
      }
    }
  }

  /** A call begins that may write these tables, any where it is null. */
  synchronized void beginCall(@Nullable Collection<String> tables) {
    flights.beginCall(tables);
  }

  /** It was answered. */
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
      // The answers go when they are next asked for.
      flights.empty(table);
      if (lost) {
        doubtful.addTable(table);
      }
    }
  }

  synchronized void own(String name, OwnedTable table) {
    owned.put(name, table);
    forget(name);
  }

  synchronized @Nullable OwnedTable owned(Slot slot) {
    return slot instanceof Place place ? owned.get(place.table()) : null;
  }

  /** Takes note of how the slot's table is owned; true where it is. */
  private boolean note(Slot slot, TableOwnership ownership) {
    OwnedTable table = owned(slot);
    if (table == null || !(slot instanceof Place place)) {
      return false;
    }
    if (table.note(ownership)) {
      forget(place.table());
    }
    return table.isOwned();
  }

  private void forget(String table) {
    flights.empty(table);
    answers.removeTable(table);
  }

  /** A session has begun or ended. */
  synchronized void sessionChanged(boolean opened) {
    owned.forEach(
        (name, table) -> {
          if (table.note(TableOwnership.NONE)) {
            forget(name);
          }
        });
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
