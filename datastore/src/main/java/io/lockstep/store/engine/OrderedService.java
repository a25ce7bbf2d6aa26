package io.lockstep.store.engine;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.OptionalLong;

/**
 * What an engine orders for: the deterministic state machine. All calls come from one thread at a
 * time, in the agreed order, so an implementation needs no locks.
 */
public interface OrderedService {

  /**
   * Applies one decided batch.
   *
   * @param instance consensus instance, one more than the last; batches without requests are not
   *     handed over, so instances may be skipped
   * @param timeMillis the leader's time when it proposed the batch ({@link LeaderClock}); went back
   *     and jumped in logs of older versions, the service clamps it
   * @param requests the requests in order
   * @return one reply for each request, in the same order
   */
  List<OrderedReply> apply(long instance, long timeMillis, List<byte[]> requests);

  /**
   * The version of the requests that this service reads, 1 or more; constant. An engine keeps
   * replicas of different versions apart: one would carry out what the other cannot read, and their
   * states would part under the same order.
   */
  int requestVersion();

  /**
   * What this service would have in force: the newest rules that it knows, and what the
   * configuration says of the state; constant. A service that never had other rules than the first
   * need not know of rules at all.
   */
  default Rules offered() {
    return Rules.FIRST;
  }

  /** The rules in force; part of the state, {@link Rules#FIRST} in an empty one. */
  default Rules rules() {
    return Rules.FIRST;
  }

  /**
   * Puts rules in force for all that follows, as a step of the order. Their number never goes back:
   * where it is lower than the present one, nothing changes.
   *
   * @throws UnknownRulesException where the number is higher than that of {@link #offered}
   */
  default void adopt(Rules rules) {
    if (rules.number() > offered().number()) {
      throw new UnknownRulesException(rules.number(), offered().number());
    }
  }

  /**
   * How many operations have been carried out, in whatever way the service counts them: never goes
   * back but by {@link #restore} and {@link #reset}, and is the same on every replica after the
   * same batch.
   */
  long index();

  /**
   * The {@code timeMillis} of the last batch that was applied, also where that was before the state
   * was restored; empty where none was. A new leader's time goes on from there.
   */
  OptionalLong lastTimeMillis();

  /**
   * Begins a snapshot of the whole state as it is now. Equal states give equal bytes on every
   * replica. Cheap; the writing is the caller's, in pieces between batches.
   *
   * @throws IllegalStateException where an earlier snapshot is neither written to its end nor
   *     closed
   */
  StateSnapshot snapshot();

  /**
   * Empties the whole state: it is then as in a new service. An open snapshot of the old state is
   * not disturbed.
   */
  void reset();

  /**
   * Replaces the whole state by one that {@link #snapshot} wrote on some replica. Reads {@code in}
   * to its end and leaves it open. An open snapshot of the old state is not disturbed.
   *
   * @throws IOException where {@code in} cannot be read; the state is then as it was
   * @throws RuntimeException where the bytes are no such state; the state is then as it was
   */
  void restore(InputStream in) throws IOException;
}
