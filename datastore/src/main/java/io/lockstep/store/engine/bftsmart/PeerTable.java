package io.lockstep.store.engine.bftsmart;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last beat of every other replica and its time of arrival. The replica's loop writes; any
 * thread reads. Callers pass monotonic milliseconds.
 */
final class PeerTable {

  /** A peer's last beat. */
  record Heard(int peer, PeerNote.Beat beat, long atMillis) {}

  private final int self;
  private final int freshMillis;

  /**
   * Elements are null until the first beat. Guarded by this, as the array is small and rarely used.
   */
  private final @Nullable Heard[] heard;

  PeerTable(int self, int members, int freshMillis) {
    this.self = self;
    this.freshMillis = freshMillis;
    this.heard = new Heard[members];
  }

  synchronized void beat(int peer, PeerNote.Beat beat, long nowMillis) {
    heard[peer] = new Heard(peer, beat, nowMillis);
  }

  /** Drops a peer's beat, since its process may be a new one. */
  synchronized void forget(int peer) {
    heard[peer] = null;
  }

  /** The peer's beat if it is recent; null also for the unknown peer -1. */
  synchronized @Nullable Heard fresh(int peer, long nowMillis) {
    Heard last = peer < 0 ? null : heard[peer];
    return last != null && nowMillis - last.atMillis <= freshMillis ? last : null;
  }

  /** All recent beats, ascending by peer. */
  synchronized List<Heard> fresh(long nowMillis) {
    List<Heard> all = new ArrayList<>(heard.length);
    for (int peer = 0; peer < heard.length; peer++) {
      Heard last = fresh(peer, nowMillis);
      if (last != null) {
        all.add(last);
      }
    }
    return all;
  }

  /** Whether a majority, including this replica, has sent recent beats. */
  boolean majority(long nowMillis) {
    return fresh(nowMillis).size() + 1 > heard.length / 2;
  }

  /** This replica and those with recent beats, ascending. */
  List<Integer> reachable(long nowMillis) {
    List<Integer> ids = new ArrayList<>();
    for (int id = 0; id < heard.length; id++) {
      if (id == self || fresh(id, nowMillis) != null) {
        ids.add(id);
      }
    }
    return ids;
  }

  /**
   * The replicas that take part, ascending.
   *
   * @param own whether this one does
   */
  List<Integer> operational(boolean own, long nowMillis) {
    List<Integer> ids = new ArrayList<>();
    for (int id = 0; id < heard.length; id++) {
      Heard last = id == self ? null : fresh(id, nowMillis);
      if (id == self ? own : last != null && last.beat().operational()) {
        ids.add(id);
      }
    }
    return ids;
  }

  /** Whether all peers take part. */
  boolean allOperational(long nowMillis) {
    List<Heard> all = fresh(nowMillis);
    return all.size() + 1 == heard.length
        && all.stream().allMatch(last -> last.beat().operational());
  }

  /** Whether this replica and a majority take part. */
  boolean quorum(boolean selfOperational, long nowMillis) {
    long operational =
        fresh(nowMillis).stream().filter(last -> last.beat.operational()).count()
            + (selfOperational ? 1 : 0);
    return selfOperational && operational > heard.length / 2;
  }
}
