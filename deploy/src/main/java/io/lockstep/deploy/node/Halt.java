package io.lockstep.deploy.node;

import io.lockstep.deploy.cli.ExitCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process at once, without cleaning up, because it cannot be trusted any longer. Whoever
 * launched it starts it anew.
 */
final class Halt {
  private static final Logger log = LoggerFactory.getLogger(Halt.class);

  private Halt() {}

  static void replicaHalted(String reason) {
    log.error("the replica halted: {}; this process ends and must be started anew", reason);
    Runtime.getRuntime().halt(ExitCode.HALTED);
  }

  static void invariantBroken(String where, Throwable cause) {
    log.error("broken invariant at {}; this process ends and must be started anew", where, cause);
    Runtime.getRuntime().halt(ExitCode.HALTED);
  }
}
