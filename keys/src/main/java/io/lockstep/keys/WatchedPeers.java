package io.lockstep.keys;

import io.lockstep.keys.LinkKeys.Watch;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connections that are closed when their peer's certificate no longer counts. Thread-safe. */
final class WatchedPeers {
  private static final Logger log = LoggerFactory.getLogger(WatchedPeers.class);

  private final Set<Watched> all = ConcurrentHashMap.newKeySet();

  /** Each is another connection, also of the same peer. */
  private record Watched(PeerIdentity peer, Runnable close) {
    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  Watch add(PeerIdentity peer, Runnable close) {
    Watched one = new Watched(peer, close);
    all.add(one);
    return () -> all.remove(one);
  }

  void closeEnded(KeyMaterial material, Instant now, Consumer<LinkRefusal> counter) {
    for (Watched one : List.copyOf(all)) {
      try {
        material.requireCurrent(one.peer, now);
      } catch (RefusedPeerException e) {
        if (all.remove(one)) {
          counter.accept(e.refusal());
          log.warn("a connection of {} is closed: {}", one.peer, e.getMessage());
          close(one);
        }
      }
    }
  }

  /** A failure must not end the looks at other connections. */
  private static void close(Watched one) {
    try {
      one.close.run();
    } catch (RuntimeException e) {
      log.error("cannot close a connection of {}", one.peer, e);
    }
  }
}
