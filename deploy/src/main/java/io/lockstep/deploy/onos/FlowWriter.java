package io.lockstep.deploy.onos;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.onosproject.net.flow.FlowRule;

/** Writes rules so that it is known what became of them, which onos-api's service does not say. */
@FunctionalInterface
public interface FlowWriter {

  /**
   * Writes rules, and waits until this node shows them.
   *
   * @return how many were stored, as far as is known
   * @throws IllegalArgumentException naming what cannot be stored; then none is written
   */
  CompletableFuture<Integer> write(List<FlowRule> rules, boolean remove);
}
