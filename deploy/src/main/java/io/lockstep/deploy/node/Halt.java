package io.lockstep.deploy.node;

import io.lockstep.deploy.process.ExitCause;
import io.lockstep.deploy.process.ExitCode;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process at once, without cleaning up, because it cannot be trusted any longer. The last
 * line on standard error says why. Whoever launched it starts it anew.
 */
public final class Halt {
  private static final Logger log = LoggerFactory.getLogger(Halt.class);

  private Halt() {}

  static void replicaHalted(String reason) {
    try {
      log.error("the replica halted: {}; this process ends and must be started anew", reason);
      end(ExitCause.halted(reason));
    } finally {
      Runtime.getRuntime().halt(ExitCode.HALTED);
    }
  }

  /** Another start would end alike, so a person has to look before the next one. */
  static void replicaRefused(String reason) {
    try {
      log.error("the replica does not start: {}", reason);
      end(ExitCause.refused(reason));
    } finally {
      Runtime.getRuntime().halt(ExitCode.NEEDS_PERSON);
    }
  }

  static void invariantBroken(String where, Throwable cause) {
    try {
      log.error("broken invariant at {}; this process ends and must be started anew", where, cause);
      end(ExitCause.halted("broken invariant at " + where + ": " + cause));
    } finally {
      Runtime.getRuntime().halt(ExitCode.HALTED);
    }
  }

  /** A thread has ended that nothing replaces. There may be no memory left even to say so. */
  public static void threadFailed(Thread thread, Throwable failure) {
    try {
      log.error("thread {} failed; this process ends and must be started anew", thread, failure);
      end(ExitCause.ofThread(thread.getName(), failure));
    } finally {
      Runtime.getRuntime().halt(ExitCode.TRY_AGAIN);
    }
  }

  /**
   * Begins to watch the end of the process, which was asked to stop: where its parts do not close
   * in time, it ends without them. A supervisor would kill it soon after.
   *
   * @param millis how long the parts may take
   */
  public static void afterStop(long millis) {
    Thread watch =
        new Thread(
            () -> {
              LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
              try {
                log.error("stopping took more than {} ms; this process ends without it", millis);
              } finally {
                Runtime.getRuntime().halt(ExitCode.TRY_AGAIN);
              }
            },
            "stop-deadline");
    watch.setDaemon(true);
    watch.start();
  }

  private static void end(ExitCause cause) {
    System.err.println(cause.lastLine());
    System.err.flush();
    Runtime.getRuntime().halt(cause.code());
  }
}
