package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.PeerNote.Common;
import io.lockstep.store.engine.bftsmart.PeerNote.Compare;
import io.lockstep.store.engine.bftsmart.PeerNote.FetchSnapshot;
import io.lockstep.store.engine.bftsmart.PeerNote.FetchTail;
import io.lockstep.store.engine.bftsmart.PeerNote.OtherHistory;
import io.lockstep.store.engine.bftsmart.PeerNote.Point;
import io.lockstep.store.engine.bftsmart.PeerNote.SnapshotOffer;
import io.lockstep.store.engine.bftsmart.PeerNote.SnapshotPiece;
import io.lockstep.store.engine.bftsmart.PeerNote.Tail;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.log.StoredSnapshot;
import io.lockstep.store.logging.BoundedLog;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends decisions and snapshots from the log to replicas that lag, a piece at a time, on its own
 * thread. The replica that asks sets the pace.
 *
 * <p>Every method but {@link #handle} belongs to that thread.
 */
final class StateTransferServer {
  static final int PIECE_BYTES = 1 << 20;

  private static final BoundedLog log = BoundedLog.of(StateTransferServer.class);
  private static final long KEEP_NANOS = 30_000_000_000L;

  private static final class Open {
    final StoredSnapshot snapshot;
    long usedNanos = System.nanoTime();

    Open(StoredSnapshot snapshot) {
      this.snapshot = snapshot;
    }
  }

  private final DecisionLog decisions;
  private final Runnable snapshotWanted;
  private final BiConsumer<Integer, PeerNote> send;
  private final BackgroundJobs jobs;
  private final Map<Integer, Open> open = new HashMap<>();

  /**
   * @param snapshotWanted requests a newer snapshot
   * @param send sends a note to a replica; any thread
   */
  StateTransferServer(
      DecisionLog decisions,
      Runnable snapshotWanted,
      BiConsumer<Integer, PeerNote> send,
      BackgroundJobs jobs) {
    this.decisions = decisions;
    this.snapshotWanted = snapshotWanted;
    this.send = send;
    this.jobs = jobs;
  }

  /**
   * Queues a question, from any thread. If too many wait, it is dropped and the peer asks again.
   *
   * @return whether the note was a question
   */
  boolean handle(int peer, PeerNote note) {
    if (note instanceof FetchTail fetch) {
      jobs.run("serving decisions", () -> serve(peer, fetch));
    } else if (note instanceof Compare compare) {
      jobs.run("comparing histories", () -> serve(peer, compare));
    } else if (note instanceof FetchSnapshot fetch) {
      jobs.run("serving a snapshot", () -> serve(peer, fetch));
    } else {
      return false;
    }
    return true;
  }

  void serve(int peer, FetchTail wanted) throws IOException {
    if (wanted.last() > decisions.last().instance()) {
      send.accept(peer, new Tail(List.of()));
      return;
    }
    byte[] ours = decisions.chainAfter(wanted.last());
    if (ours != null && !Arrays.equals(ours, wanted.chain())) {
      Integer regency = decisions.regencyOf(wanted.last());
      log.info(peer, "replica {} has another history at instance {}", peer, wanted.last());
      send.accept(peer, new OtherHistory(wanted.last(), regency == null ? 0 : regency));
      return;
    }
    List<Decision> found = ours == null ? null : decisions.after(wanted.last(), PIECE_BYTES);
    if (found != null) {
      send.accept(peer, new Tail(found));
    } else {
      offer(peer);
    }
  }

  void serve(int peer, Compare compare) throws IOException {
    long common = Common.NONE;
    for (Point point : compare.points()) {
      byte[] ours = decisions.chainAfter(point.instance());
      if (ours != null && Arrays.equals(ours, point.chain())) {
        common = point.instance();
      }
    }
    send.accept(peer, new Common(common));
  }

  void serve(int peer, FetchSnapshot wanted) throws IOException {
    Open serving = open.get(peer);
    if (serving == null
        || serving.snapshot.at().instance() != wanted.instance()
        || wanted.offset() > serving.snapshot.length()
        || wanted.offset() < 0) {
      offer(peer);
      return;
    }
    serving.usedNanos = System.nanoTime();
    byte[] piece = serving.snapshot.read(wanted.offset(), PIECE_BYTES);
    send.accept(peer, new SnapshotPiece(wanted.instance(), wanted.offset(), piece));
  }

  /** Offers the newest snapshot if the log continues from it. Otherwise requests a newer one. */
  private void offer(int peer) throws IOException {
    closeUnused();
    StoredSnapshot newest = decisions.latestSnapshot();
    if (newest != null && decisions.after(newest.at().instance(), 1) == null) {
      newest.close();
      newest = null;
    }
    if (newest == null) {
      snapshotWanted.run();
      return;
    }
    replace(peer, new Open(newest));
    send.accept(peer, new SnapshotOffer(newest.at(), newest.length()));
  }

  private void replace(int peer, Open serving) {
    close(open.put(peer, serving));
  }

  private void closeUnused() {
    long now = System.nanoTime();
    Iterator<Open> all = open.values().iterator();
    while (all.hasNext()) {
      Open serving = all.next();
      if (now - serving.usedNanos > KEEP_NANOS) {
        close(serving);
        all.remove();
      }
    }
  }

  private static void close(@Nullable Open serving) {
    if (serving != null) {
      serving.snapshot.close();
    }
  }

  /** Closes unused snapshots. */
  void tidy() {
    closeUnused();
  }
}
