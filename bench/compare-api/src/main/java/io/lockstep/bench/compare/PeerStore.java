package io.lockstep.bench.compare;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A client of a store under load. Thread-safe; never blocks. */
public interface PeerStore extends AutoCloseable {

  /**
   * Declares tables, where the store needs that; called before the first operation on them, until
   * it succeeds.
   *
   * @return completes with a failure where the cluster is not up yet
   */
  CompletableFuture<Void> declare(List<TableLayout> tables);

  /**
   * Carries out one operation, linearizably. Completes on any thread, with a failure where the
   * store gave none of the answers that the operation has.
   */
  CompletableFuture<Answer> submit(Operation operation);

  @Override
  void close();
}
