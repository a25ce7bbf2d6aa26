package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.logging.LogLimit;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Says why peers are turned away: each cause once in ten minutes for each machine, because who is
 * refused dials again at once, and a machine that brings another cause each time has {@link
 * LogLimit#LINES} lines a minute. Thread-safe.
 */
final class RefusalLog {
  private static final long PERIOD_SECONDS = 600;

  private final Logger log;
  private final String refusing;
  private final LogLimit sameCause = new LogLimit(System::nanoTime, 1, PERIOD_SECONDS);
  private final LogLimit anyCause = new LogLimit(System::nanoTime);

  /**
   * @param refusing what is said before the peer's address, such as "replica 0 refuses client"
   */
  RefusalLog(Logger log, String refusing) {
    this.log = log;
    this.refusing = refusing;
  }

  /**
   * Logs it, as a warning where it is news.
   *
   * @param peer null where it has left already
   */
  void tell(@Nullable SocketAddress peer, String why) {
    tell(peer, refusing, why);
  }

  /**
   * The same of a connection that was accepted before.
   *
   * @param doing what is said before the peer's address
   */
  void tell(@Nullable SocketAddress peer, String doing, String why) {
    String same = sameCause.admit(machine(peer) + " " + why);
    String any = same == null ? null : anyCause.admit(machine(peer));
    if (any != null) {
      log.warn("{} {}: {}{}{}", doing, peer, why, same, any);
    } else {
      log.debug("{} {} again: {}", doing, peer, why);
    }
  }

  /** The peer without its port. */
  static String machine(@Nullable SocketAddress peer) {
    return peer instanceof InetSocketAddress internet
        ? internet.getHostString()
        : String.valueOf(peer);
  }
}
