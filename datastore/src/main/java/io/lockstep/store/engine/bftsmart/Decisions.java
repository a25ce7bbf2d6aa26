package io.lockstep.store.engine.bftsmart;

import bftsmart.tom.core.messages.TOMMessage;
import io.lockstep.store.log.Decision;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs and applies each decision on the loop. Any failure there halts the replica, because it must
 * not skip a decision.
 *
 * <p>Owned by the replica's loop.
 */
final class Decisions {
  private static final Logger log = LoggerFactory.getLogger(Decisions.class);

  private final ReplicaHost host;
  private final ReplicaMemory memory;
  private final LibraryStack stack;

  Decisions(ReplicaHost host, ReplicaMemory memory, LibraryStack stack) {
    this.host = host;
    this.memory = memory;
    this.stack = stack;
  }

  /** Logs and applies a decision that the library has just made. */
  void fell(TOMMessage[] requests) {
    if (host.stopped()) {
      return;
    }
    Decision decision;
    try {
      decision = memory.fell(stack.decided(), stack.decisionRegency(), stack.decidedValue());
    } catch (IOException | RuntimeException e) {
      log.error("replica {} cannot log instance {}", id(), stack.decided(), e);
      host.halt("instance " + stack.decided() + " could not be logged: " + e);
      return;
    }
    apply(decision, requests, true);
    stack.applied();
    if (host.config().members().size() == 1 && stack.exhausted()) {
      stack.goOnAlone(decision);
    }
  }

  /**
   * Applies a decision that is in the log.
   *
   * @param requests in it, or null to decode them
   * @param reply whether this replica sends replies to the requests
   */
  void apply(Decision decision, TOMMessage @Nullable [] requests, boolean reply) {
    if (host.stopped()) {
      return;
    }
    try {
      memory.state().apply(decision, requests, reply);
    } catch (RuntimeException | Error e) {
      log.error("replica {} cannot apply instance {}", id(), decision.instance(), e);
      host.halt("instance " + decision.instance() + " could not be applied: " + e);
    }
  }

  private int id() {
    return host.config().replicaId();
  }
}
