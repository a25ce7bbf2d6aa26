package io.lockstep.store.client.cache;

import io.lockstep.store.client.cache.OperationInFlight.PendingRead;
import io.lockstep.store.client.cache.OwnedTable.TableOwnership;
import io.lockstep.store.client.cache.Slot.EntrySlot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The operations in flight, and when operations with unknown keys last changed each table. The
 * client bounds their number. Guarded by the cache's lock.
 */
final class OperationsInFlight {
  private final Map<Slot, List<OperationInFlight>> bySlot = new HashMap<>();

  /** For each table, the number up to which operations give no valid answers any more. */
  private final Map<String, Long> emptied = new HashMap<>();

  private long allEmptied;

  /** The number at which anything last changed that an answer to a query may rest on. */
  private long lastChange;

  /** The number at which an own write of each table ended last. */
  private final Map<String, Long> written = new HashMap<>();

  /** Calls of micro components under way that may write a table. */
  private final Map<String, Integer> calls = new HashMap<>();

  private int callsOnAll;
  private long lastNumber;

  long nextNumber() {
    return ++lastNumber;
  }

  OperationInFlight begin(
      Slot slot,
      TableOwnership ownership,
      long sentNanos,
      boolean write,
      @Nullable PendingRead reading) {
    OperationInFlight flight =
        new OperationInFlight(slot, ownership, nextNumber(), sentNanos, write, reading);
    bySlot.computeIfAbsent(slot, key -> new ArrayList<>(1)).add(flight);
    return flight;
  }

  void end(OperationInFlight flight) {
    List<OperationInFlight> others = bySlot.get(flight.slot());
    if (others != null && others.remove(flight) && others.isEmpty()) {
      bySlot.remove(flight.slot());
    }
  }

  List<OperationInFlight> of(Slot slot) {
    return bySlot.getOrDefault(slot, List.of());
  }

  /** Invalidates all earlier reads of a table; of all tables if it is null. */
  void empty(@Nullable String table) {
    lastChange = nextNumber();
    if (table == null) {
      allEmptied = lastChange;
    } else {
      emptied.put(table, lastChange);
    }
  }

  /** An own write of the table has ended. */
  void written(String table) {
    lastChange = nextNumber();
    written.put(table, lastChange);
  }

  /** Whether the answer of the operation {@code number} is still valid. */
  boolean counts(Slot slot, long number) {
    if (number <= allEmptied) {
      return false;
    }
    if (slot instanceof Slot.QuerySlot) {
      return number > lastChange;
    }
    if (slot instanceof Slot.ReferenceSlot through) {
      for (String table : through.tables()) {
        if (number <= emptied.getOrDefault(table, 0L)
            || number <= written.getOrDefault(table, 0L)) {
          return false;
        }
      }
      return true;
    }
    return !(slot instanceof EntrySlot place) || number > emptied.getOrDefault(place.table(), 0L);
  }

  /** Whether an own operation in flight may write this entry. */
  boolean writing(EntrySlot place) {
    if (callsOnAll > 0 || calls.containsKey(place.table())) {
      return true;
    }
    for (OperationInFlight flight : of(place)) {
      if (flight.isWrite()) {
        return true;
      }
    }
    return false;
  }

  /** A call begins that may write these tables; any where it is null. */
  void beginCall(@Nullable Collection<String> tables) {
    if (tables == null) {
      callsOnAll++;
    } else {
      tables.forEach(table -> calls.merge(table, 1, Integer::sum));
    }
  }

  void endCall(@Nullable Collection<String> tables) {
    if (tables == null) {
      callsOnAll--;
    } else {
      tables.forEach(table -> calls.computeIfPresent(table, (name, n) -> n == 1 ? null : n - 1));
    }
  }
}
