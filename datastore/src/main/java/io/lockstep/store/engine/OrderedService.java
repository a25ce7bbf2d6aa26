package io.lockstep.store.engine;

import io.lockstep.store.machine.ReplacedMachines;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.OptionalLong;

/**
 * The deterministic state machine that an engine orders requests for. The engine calls it from one
 * thread at a time, in the agreed order, so an implementation needs no locks.
 */
public interface OrderedService {

  /**
   * Applies one decided batch.
   *
   * @param instance consensus instance, higher than the last; the engine passes no batch without
   *     requests, so it may skip instances
   * @param timeMillis the leader's time when it proposed the batch ({@link LeaderClock}); in logs
   *     of older versions it went back and jumped, so the service clamps it
   * @param requests the requests in order
   * @return one reply for each request, in the same order
   */
  List<OrderedReply> apply(long instance, long timeMillis, List<byte[]> requests);

  /**
   * The version of the requests that this service reads, 1 or more; constant. An engine does not
   * connect replicas of different versions: one would execute requests that the other cannot read,
   * and their states would diverge under the same order.
   */
  int requestVersion();

  /**
   * The rules that this service can follow: the newest number that it knows, and the limit of the
   * state in its configuration; constant. A service that only ever had the first rules need not
   * implement any of the methods about rules.
   */
  default Rules offered() {
    return Rules.FIRST;
  }

  /**
   * The rules that the state follows now; part of the state, {@link Rules#FIRST} in an empty one.
   */
  default Rules rules() {
    return Rules.FIRST;
  }

  /**
   * Makes the state follow these rules from now on, as a step of the order. The number never
   * decreases: if it is lower than the present one, this method changes nothing.
   *
   * @throws UnknownRulesException if the number is higher than that of {@link #offered}
   */
  default void adopt(Rules rules) {
    if (rules.number() > offered().number()) {
      throw new UnknownRulesException(rules.number(), offered().number());
    }
  }

  /** The replaced machines by the state as it is now; part of the state. Any thread. */
  default ReplacedMachines machines() {
    return ReplacedMachines.NONE;
  }

  /**
   * The newest number of rules that the operator permits, as the state says; 0 for none. Only
   * numbers above {@link io.lockstep.store.Release#BASELINE} need a permission. A leader proposes
   * rules that are permitted once all replicas know them.
   */
  default int permitted() {
    return 0;
  }

  /** Hints of the changes that this service applies. Any thread. */
  default ChangeHints hints() {
    return ChangeHints.NONE;
  }

  /**
   * How many operations the service has executed, by its own count. Only {@link #restore} and
   * {@link #reset} decrease it. It is the same on every replica after the same batch.
   */
  long index();

  /**
   * The {@code timeMillis} of the last applied batch, also if that batch was applied before the
   * snapshot that the state was restored from; empty if there was none. A new leader's time
   * continues from it.
   */
  OptionalLong lastTimeMillis();

  /**
   * Begins a snapshot of the whole state as it is now. Equal states give equal bytes on every
   * replica. Cheap; the caller writes the snapshot in pieces, between batches.
   *
   * @throws IllegalStateException if an earlier snapshot is neither complete nor closed
   */
  StateSnapshot snapshot();

  /**
   * Empties the whole state: it is then as in a new service. An open snapshot of the old state
   * remains valid.
   */
  void reset();

  /**
   * Replaces the whole state by one that {@link #snapshot} wrote on some replica. Reads {@code in}
   * to its end and leaves it open. An open snapshot of the old state remains valid.
   *
   * @throws IOException if {@code in} cannot be read; the state has not changed then
   * @throws RuntimeException if the bytes are no such state; the state has not changed then
   */
  void restore(InputStream in) throws IOException;
}
