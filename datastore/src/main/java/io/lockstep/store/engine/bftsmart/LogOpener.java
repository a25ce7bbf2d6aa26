package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.log.DecisionLog;
import java.io.IOException;
import java.util.function.Consumer;

/** Opens the log in which a replica keeps decisions. The replica closes it. */
@FunctionalInterface
public interface LogOpener {

  /**
   * Opens the log, once, when the replica starts.
   *
   * @param onFailure called once, with the file and the reason, when the log can no longer make
   *     anything durable; the replica then halts
   * @throws IOException naming the file that cannot be used
   */
  DecisionLog open(Consumer<String> onFailure) throws IOException;
}
