package io.lockstep.store.core;

import io.lockstep.store.Reply;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The replies to a session's operations that it may still ask for again, by operation id: a ring
 * over the ids from {@link #acknowledgedBelow} on. Only operations that can change something are
 * recorded; a read that is asked for again is read again, which is as good, since its caller has no
 * answer yet.
 */
final class OperationRecords {
  private @Nullable Reply[] ring = new @Nullable Reply[64];
  private long acknowledgedBelow;
  private long bytes;

  /** Every operation with a lower id is answered for good. Never goes back. */
  long acknowledgedBelow() {
    return acknowledgedBelow;
  }

  /** Drops the records of all operations below {@code id}. */
  void acknowledgeBelow(long id) {
    if (id <= acknowledgedBelow) {
      return;
    }
    long end = id - acknowledgedBelow > ring.length ? acknowledgedBelow + ring.length : id;
    for (long old = acknowledgedBelow; old < end; old++) {
      int slot = slot(old);
      Reply reply = ring[slot];
      if (reply != null) {
        bytes -= ReplySize.of(reply);
        ring[slot] = null;
      }
    }
    acknowledgedBelow = id;
  }

  /** The recorded reply, or null where the operation is new (or leaves no record). */
  @Nullable Reply find(long id) {
    return id - acknowledgedBelow < ring.length ? ring[slot(id)] : null;
  }

  /** Whether there is room to record one more reply, to the operation {@code id}. */
  boolean admits(long id) {
    return id - acknowledgedBelow < Limits.UNACKNOWLEDGED_OPERATIONS
        && bytes <= Limits.UNACKNOWLEDGED_BYTES;
  }

  /** Records a reply; {@link #admits} said there is room. */
  void record(long id, Reply reply) {
    while (id - acknowledgedBelow >= ring.length) {
      grow();
    }
    ring[slot(id)] = reply;
    bytes += ReplySize.of(reply);
  }

  private void grow() {
    @Nullable Reply[] old = ring;
    ring = new @Nullable Reply[2 * old.length];
    for (long id = acknowledgedBelow; id < acknowledgedBelow + old.length; id++) {
      ring[slot(id)] = old[(int) (id & (old.length - 1))];
    }
  }

  /** How many replies are recorded. */
  int count() {
    return (int) Arrays.stream(ring).filter(reply -> reply != null).count();
  }

  /** The recorded operations, lowest id first. */
  void forEach(Visitor visitor) {
    for (long id = acknowledgedBelow; id < acknowledgedBelow + ring.length; id++) {
      Reply reply = ring[slot(id)];
      if (reply != null) {
        visitor.visit(id, reply);
      }
    }
  }

  private int slot(long id) {
    return (int) (id & (ring.length - 1));
  }

  /** Takes one record after the other. */
  interface Visitor {
    void visit(long operationId, Reply reply);
  }
}
