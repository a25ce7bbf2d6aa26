package io.lockstep.store.engine;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

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
   * @param timeMillis the leader's clock when it proposed the batch; may go back, the service
   *     clamps it
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
   * How many operations have been carried out, in whatever way the service counts them: never goes
   * back but by {@link #restore}, and is the same on every replica after the same batch.
   */
  long index();

  /**
   * Begins a snapshot of the whole state as it is now. Equal states give equal bytes on every
   * replica. Cheap; the writing is the caller's, in pieces between batches.
   *
   * @throws IllegalStateException where an earlier snapshot is neither written to its end nor
   *     closed
   */
  StateSnapshot snapshot();

  /**
   * Replaces the whole state by one that {@link #snapshot} wrote on some replica. Reads {@code in}
   * to its end and leaves it open. An open snapshot of the old state is not disturbed.
   *
   * @throws IOException where {@code in} cannot be read; the state is then as it was
   * @throws RuntimeException where the bytes are no such state; the state is then as it was
   */
  void restore(InputStream in) throws IOException;
}
