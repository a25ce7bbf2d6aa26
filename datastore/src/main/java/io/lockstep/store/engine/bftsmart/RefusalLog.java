package io.lockstep.store.engine.bftsmart;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Tells why peers are turned away: each cause once for each machine, because who is refused dials
 * again at once. Owned by the event loop.
 */
final class RefusalLog {
  /** Then all are forgotten, and told again: strangers must not fill the memory either. */
  private static final int MOST_CAUSES = 256;

  private final Logger log;
  private final String refusing;
  private final Set<String> told = new HashSet<>();

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
    if (told.size() >= MOST_CAUSES) {
      told.clear();
    }
    if (told.add(machine(peer) + " " + why)) {
      log.warn("{} {}: {}", refusing, peer, why);
    } else {
      log.debug("{} {} again: {}", refusing, peer, why);
    }
  }

  /** What happens from now on is news. */
  void forget() {
    told.clear();
  }

  private static String machine(@Nullable SocketAddress peer) {
    return peer instanceof InetSocketAddress internet
        ? internet.getHostString()
        : String.valueOf(peer);
  }
}
