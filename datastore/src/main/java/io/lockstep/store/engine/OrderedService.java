package io.lockstep.store.engine;

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
  List<byte[]> apply(long instance, long timeMillis, List<byte[]> requests);

  /** The whole state. Equal states give equal bytes on every replica. */
  byte[] snapshot();

  /** Replaces the whole state by one that {@link #snapshot} gave on some replica. */
  void restore(byte[] snapshot);
}
