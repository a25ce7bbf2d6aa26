package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.OrderedState.Decision;
import io.lockstep.store.engine.bftsmart.PeerNote.FetchSnapshot;
import io.lockstep.store.engine.bftsmart.PeerNote.FetchTail;
import io.lockstep.store.engine.bftsmart.PeerNote.OtherHistory;
import io.lockstep.store.engine.bftsmart.PeerNote.SnapshotPiece;
import io.lockstep.store.engine.bftsmart.PeerNote.Tail;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves decisions and snapshots between replicas, asked for by the one that lags behind, a piece at
 * a time. Decisions where the peer still has them, else a snapshot in pieces of {@value
 * #PIECE_BYTES} bytes.
 *
 * <p>Owned by the library's communication thread.
 */
final class Transfer {

  /** What a transfer does to the replica around it. */
  interface Host {
    void send(int peer, PeerNote note);

    /** Whether everything decided has been applied, so that the state may be moved on. */
    boolean drained();

    /** The state has moved on by these decisions. */
    void learned(List<Decision> decisions);

    /** The state has been replaced. */
    void installed();

    /** A peer's history is not ours. */
    void differs(int peer, String what);
  }

  static final int PIECE_BYTES = 1 << 20;

  private static final Logger log = LoggerFactory.getLogger(Transfer.class);
  private static final long PATIENCE_MILLIS = 400;
  private static final long KEEP_SNAPSHOT_MILLIS = 5_000;

  private final OrderedState state;
  private final int maxSnapshotBytes;
  private final Host host;

  private boolean asked;
  private long askedAtMillis;
  private byte @Nullable [] arriving;
  private long arrivingInstance;

  private byte @Nullable [] serving;
  private long servingInstance;
  private long servedAtMillis;

  Transfer(OrderedState state, int maxSnapshotBytes, Host host) {
    this.state = state;
    this.maxSnapshotBytes = maxSnapshotBytes;
    this.host = host;
  }

  /** Asks a peer for what this replica lacks, unless an answer is awaited. */
  void fetch(int peer, long nowMillis) {
    if (asked && nowMillis - askedAtMillis < PATIENCE_MILLIS) {
      return;
    }
    Decision last = state.last();
    ask(peer, new FetchTail(last.instance(), last.chain()), nowMillis);
  }

  private void ask(int peer, PeerNote note, long nowMillis) {
    asked = true;
    askedAtMillis = nowMillis;
    host.send(peer, note);
  }

  /** Forgets unneeded memory. */
  void tick(long nowMillis) {
    if (serving != null && nowMillis - servedAtMillis > KEEP_SNAPSHOT_MILLIS) {
      serving = null;
    }
    if (arriving != null && nowMillis - askedAtMillis > KEEP_SNAPSHOT_MILLIS) {
      arriving = null;
    }
  }

  /** A peer asks for decisions. */
  void serve(int peer, FetchTail wanted, long nowMillis) {
    byte[] ours = state.chainAfter(wanted.applied());
    if (ours != null && !Arrays.equals(ours, wanted.chain())) {
      log.warn("replica {} has another history at instance {}", peer, wanted.applied());
      host.send(peer, new OtherHistory());
      return;
    }
    if (wanted.applied() > state.applied()) {
      host.send(peer, new Tail(List.of()));
      return;
    }
    List<Decision> decisions = state.after(wanted.applied(), PIECE_BYTES);
    if (decisions != null) {
      host.send(peer, new Tail(decisions));
    } else {
      serve(peer, new FetchSnapshot(-1, 0), nowMillis);
    }
  }

  /** A peer asks for a piece of a snapshot. */
  void serve(int peer, FetchSnapshot wanted, long nowMillis) {
    byte[] bytes = serving;
    if (bytes == null || wanted.instance() != servingInstance || wanted.offset() >= bytes.length) {
      bytes = freshSnapshot(peer);
      if (bytes == null) {
        return;
      }
      servingInstance = OrderedState.instanceOf(bytes);
      serving = bytes;
      wanted = new FetchSnapshot(servingInstance, 0);
    }
    servedAtMillis = nowMillis;
    int from = Math.max(0, wanted.offset());
    byte[] piece = Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + PIECE_BYTES));
    host.send(peer, new SnapshotPiece(servingInstance, bytes.length, from, piece));
  }

  private byte @Nullable [] freshSnapshot(int peer) {
    try {
      return state.snapshot();
    } catch (OrderedState.SnapshotTooLargeException e) {
      log.error("cannot refill replica {}: {}", peer, e.getMessage());
      return null;
    }
  }

  /** A peer's answer to {@link FetchTail}. */
  void received(int peer, Tail tail) {
    asked = false;
    if (tail.decisions().isEmpty() || !host.drained()) {
      return;
    }
    long before = state.applied();
    int learned = state.learn(tail.decisions());
    if (learned < 0) {
      host.differs(peer, "the decisions it sent do not continue ours");
      return;
    }
    if (learned > 0) {
      host.learned(
          tail.decisions().stream().filter(decision -> decision.instance() > before).toList());
    }
  }

  /** A peer's answer to {@link FetchSnapshot}, or to {@link FetchTail} where it lacks decisions. */
  void received(int peer, SnapshotPiece piece, long nowMillis) {
    asked = false;
    if (piece.totalBytes() > maxSnapshotBytes) {
      log.error(
          "replica {} offers a snapshot of {} bytes, more than maxSnapshotBytes = {}",
          peer,
          piece.totalBytes(),
          maxSnapshotBytes);
      return;
    }
    byte[] bytes = arriving;
    if (piece.offset() == 0) {
      bytes = new byte[piece.totalBytes()];
      arriving = bytes;
      arrivingInstance = piece.instance();
    } else if (bytes == null
        || piece.instance() != arrivingInstance
        || bytes.length != piece.totalBytes()) {
      return;
    }
    System.arraycopy(piece.bytes(), 0, bytes, piece.offset(), piece.bytes().length);
    int next = piece.offset() + piece.bytes().length;
    if (next < bytes.length) {
      ask(peer, new FetchSnapshot(arrivingInstance, next), nowMillis);
      return;
    }
    arriving = null;
    if (arrivingInstance > state.applied() && host.drained()) {
      state.install(bytes);
      log.info("installed the snapshot of replica {} at instance {}", peer, arrivingInstance);
      host.installed();
    }
  }

  /** A peer says that what this replica named is not part of its history. */
  void received(int peer, OtherHistory note) {
    asked = false;
    host.differs(peer, "it does not know our history up to " + state.applied());
  }
}
