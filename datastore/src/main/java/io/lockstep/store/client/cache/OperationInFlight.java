package io.lockstep.store.client.cache;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.cache.OwnedTable.TableOwnership;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The part of an operation in flight that concerns one slot. Operations of one client overtake each
 * other in the network; versions, if there are any, show which came first. Guarded by the cache's
 * lock.
 */
final class OperationInFlight {
  private final Slot slot;
  private final TableOwnership ownership;
  private final long number;
  private final long sentNanos;
  private final boolean write;
  private final @Nullable PendingRead reading;

  /** The highest version that other operations have shown meanwhile. */
  private long floor;

  /** Whether another operation has shown something meanwhile that has no version to compare. */
  private boolean overtaken;

  /**
   * Whether an own write has ended meanwhile, so that later reads must not share this operation's
   * answer.
   */
  private boolean closed;

  /** A read, and the future for which its callers wait. */
  record PendingRead(Command query, CompletableFuture<Reply> reply) {}

  /**
   * @param ownership of the slot's entry when the operation began
   * @param number later operations have higher ones
   * @param sentNanos not later than the operation is sent
   * @param reading null for other operations
   */
  OperationInFlight(
      Slot slot,
      TableOwnership ownership,
      long number,
      long sentNanos,
      boolean write,
      @Nullable PendingRead reading) {
    this.slot = slot;
    this.ownership = ownership;
    this.number = number;
    this.sentNanos = sentNanos;
    this.write = write;
    this.reading = reading;
  }

  Slot slot() {
    return slot;
  }

  TableOwnership ownership() {
    return ownership;
  }

  long number() {
    return number;
  }

  long sentNanos() {
    return sentNanos;
  }

  boolean isWrite() {
    return write;
  }

  /** The read whose answer another one may share; null if there is none. */
  @Nullable PendingRead joinable() {
    return closed ? null : reading;
  }

  void overtakenBy(EntryObservation observation) {
    if (observation.doubt() || observation.version() == 0) {
      overtaken = true;
    } else {
      floor = Math.max(floor, observation.version());
    }
    closed |= observation.wrote() || observation.doubt();
  }

  /** Whether this operation shows the newest known version. */
  boolean isNewest(long version) {
    return !overtaken && version >= floor;
  }

  /** Whether a newer version than this operation's is known. */
  boolean isOutdated(long version) {
    return !overtaken && version > 0 && version < floor;
  }
}
