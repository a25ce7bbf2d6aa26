package io.lockstep.deploy.onos;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Which applications decide on packets, in the whole cluster. Thread-safe. */
public interface ApplicationActivation {
  /** Whether it does, as this node knows it. */
  boolean isActive(String application);

  /**
   * Changes it.
   *
   * @return empty where that is done; else why not, in a sentence without its end
   */
  CompletableFuture<Optional<String>> set(String application, boolean active);
}
