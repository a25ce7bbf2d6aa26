package io.lockstep.store.client.cache;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The part of an operation in flight that concerns one slot. Operations of one client overtake each
 * other in the network; versions, if there are any, show which came first. Guarded by the cache's
 * lock.
 */
final class Flight {
  private final Slot slot;
  private final long number;
  private final long sentNanos;
  private final boolean write;
  private final @Nullable Reading reading;

  /** The highest version that other operations saw meanwhile. */
  private long floor;

  /** Another operation saw something meanwhile that cannot be compared. */
  private boolean overtaken;

  /** An own write has ended meanwhile: reads from now on must not take this one's answer. */
  private boolean closed;

  /** A read and what its readers wait for. */
  record Reading(Command query, CompletableFuture<Reply> reply) {}

  /**
   * @param number later operations have higher ones
   * @param sentNanos not later than the operation is sent
   * @param reading null for other operations
   */
  Flight(Slot slot, long number, long sentNanos, boolean write, @Nullable Reading reading) {
    this.slot = slot;
    this.number = number;
    this.sentNanos = sentNanos;
    this.write = write;
    this.reading = reading;
  }

  Slot slot() {
    return slot;
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

  /** The read that another one may wait for too; null where there is none. */
  @Nullable Reading joinable() {
    return closed ? null : reading;
  }

  void overtakenBy(EntryNews news) {
    if (news.doubt() || news.version() == 0) {
      overtaken = true;
    } else {
      floor = Math.max(floor, news.version());
    }
    closed |= news.wrote() || news.doubt();
  }

  /** Whether what this operation saw is the newest that is known. */
  boolean isNewest(long version) {
    return !overtaken && version >= floor;
  }

  /** Whether something newer is known than what this operation saw. */
  boolean isOutdated(long version) {
    return !overtaken && version > 0 && version < floor;
  }
}
