package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.log.Chain;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionLog;
import java.io.IOException;

/** Appends decisions to logs as a replica does, for tests. */
final class LoggedDecision {
  private LoggedDecision() {}

  /** Appends the next decision and returns it. */
  static Decision append(DecisionLog log, int regency, byte[] value) throws IOException {
    Decision decision = new Chain().next(log.last(), regency, value);
    log.append(decision);
    return decision;
  }
}
