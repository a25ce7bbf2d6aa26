package io.lockstep.bench.store;

import io.lockstep.store.Command;
import io.lockstep.store.StoreClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What one flow asks of the store. Immutable; called on the client's loop. Request and reply sizes
 * are those of table I and II of "A consistent and fault-tolerant data store for software defined
 * networks".
 */
interface Workload {

  /** Commands to run once, in any order, before the flows. */
  List<Command> preparation();

  /**
   * Runs one flow, its operations strictly one after another.
   *
   * @param number of the flow, from 0
   * @return completes normally: whether every operation took effect and answered what it should
   */
  CompletableFuture<Boolean> flow(StoreClient client, long number);
}
