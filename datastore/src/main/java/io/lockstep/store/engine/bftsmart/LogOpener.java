package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.log.DecisionLog;
import java.io.IOException;
import java.util.function.Consumer;

/** Opens the log in which a replica keeps what was decided. The replica closes it. */
@FunctionalInterface
public interface LogOpener {

  /**
   * Opens the log, once, when the replica starts.
   *
   * @param onFailure to be told once, with the file and the reason, when nothing becomes durable
   *     any more; the replica then halts
   * @throws IOException naming the file that cannot be used
   */
  DecisionLog open(Consumer<String> onFailure) throws IOException;
}
