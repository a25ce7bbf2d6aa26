package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.logging.LogLimit;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs why peers are refused. Each cause is logged once in ten minutes for each machine, because a
 * refused peer dials again at once. A machine that causes new refusals has {@link LogLimit#LINES}
 * lines a minute. Thread-safe.
 */
final class RefusalLog {
  /** Why a connection ends that has not introduced itself when others need its place. */
  static final String DISPLACED = "too many connections that do not introduce themselves";

  private static final long PERIOD_SECONDS = 600;

  private final Logger log;
  private final String refusing;
  private final LogLimit sameCause = new LogLimit(System::nanoTime, 1, PERIOD_SECONDS);
  private final LogLimit anyCause = new LogLimit(System::nanoTime);
  private final LongAdder refusals = new LongAdder();

  /**
   * @param refusing the text before the peer's address, for example "replica 0 refuses client"
   */
  RefusalLog(Logger log, String refusing) {
    this.log = log;
    this.refusing = refusing;
  }

  /**
   * Logs a refusal, as a warning if it is new.
   *
   * @param peer null if it has disconnected already
   */
  void report(@Nullable SocketAddress peer, String why) {
    report(peer, refusing, why);
  }

  /**
   * Like {@link #report(SocketAddress, String)}, for a connection that was accepted before.
   *
   * @param doing the text before the peer's address
   */
  void report(@Nullable SocketAddress peer, String doing, String why) {
    refusals.increment();
    String same = sameCause.admit(machine(peer) + " " + why);
    String any = same == null ? null : anyCause.admit(machine(peer));
    if (any != null) {
      log.warn("{} {}: {}{}{}", doing, peer, why, same, any);
    } else {
      log.debug("{} {} again: {}", doing, peer, why);
    }
  }

  /** How often something was refused, logged or not. */
  long count() {
    return refusals.sum();
  }

  /** The peer without its port. */
  static String machine(@Nullable SocketAddress peer) {
    return peer instanceof InetSocketAddress internet
        ? internet.getHostString()
        : String.valueOf(peer);
  }
}
