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
import io.lockstep.store.log.Chain;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.log.SnapshotSink;
import io.lockstep.store.logging.BoundedLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings this replica's log and state up to a peer's. It fetches decisions while the peer still has
 * them, otherwise a snapshot and then decisions. It also drops decisions that differ from those of
 * the cluster. It asks one question at a time; {@link StateTransferServer} answers.
 *
 * <p>Owned by the replica's loop. Long jobs run on another thread, so that the replica still sends
 * and receives meanwhile. During a job it learns nothing else.
 */
final class StateTransfer {

  /** The replica around a transfer. */
  interface Host {
    void send(int peer, PeerNote note);

    /** Whether this replica takes no part, so that its state may be replaced. */
    boolean recovering();

    /** Whether this replica may learn a peer's decisions now. */
    boolean mayLearn();

    /** Applies these decisions, which follow ours and are in the log. */
    void learned(int peer, List<Decision> decisions) throws IOException;

    /** A peer's history is not ours: it decided that instance in that regency. */
    void differs(int peer, long instance, int regency) throws IOException;

    /** Our history turned out to be a beginning of the peer's. */
    void same();

    /** Runs a job on another thread, and then work on this one. */
    void inBackground(String what, BackgroundJobs.Job job, Runnable then);

    /** The log was changed other than by decisions, so the state must be rebuilt. */
    void replaced(String how);

    /** This replica is too far behind to learn while it takes part. */
    void outrun();
  }

  private static final BoundedLog log = BoundedLog.of(StateTransfer.class);
  private static final long PATIENCE_MILLIS = 400;
  private static final long PIECE_PATIENCE_MILLIS = 2_000;
  private static final long GIVE_UP_MILLIS = 15_000;

  private static final class Arriving {
    final int peer;
    final Decision at;
    final long totalBytes;
    final SnapshotSink sink;
    long offset;
    long movedAtMillis;

    Arriving(int peer, SnapshotOffer offer, SnapshotSink sink, long nowMillis) {
      this.peer = peer;
      this.at = offer.at();
      this.totalBytes = offer.totalBytes();
      this.sink = sink;
      this.movedAtMillis = nowMillis;
    }
  }

  private final DecisionLog decisions;
  private final Host host;
  private final Chain chain = new Chain();

  private boolean asked;
  private long askedAtMillis;
  private boolean busy;

  /** Passed from the other thread to this one with the work that follows. */
  private volatile boolean cut;

  private @Nullable Arriving arriving;
  private @Nullable CommonHistory common;
  private int comparedWith = -1;
  private List<Point> questions = List.of();

  StateTransfer(DecisionLog decisions, Host host) {
    this.decisions = decisions;
    this.host = host;
  }

  /** Whether a job on the other thread has to end first. */
  boolean busy() {
    return busy;
  }

  /** Forgets the exchange that was under way. */
  void begin() {
    asked = false;
    common = null;
    comparedWith = -1;
  }

  /** Asks a peer for the data that this replica lacks, unless it waits for an answer. */
  void fetch(int peer, long nowMillis) {
    Arriving snapshot = arriving;
    if (busy) {
      return;
    }
    if (snapshot != null) {
      continueSnapshot(snapshot, nowMillis);
    } else if (mayAsk(PATIENCE_MILLIS, nowMillis)) {
      Decision last = decisions.last();
      ask(peer, new FetchTail(last.instance(), last.chain()), nowMillis);
    }
  }

  private boolean mayAsk(long patienceMillis, long nowMillis) {
    return !asked || nowMillis - askedAtMillis >= patienceMillis;
  }

  private void ask(int peer, PeerNote note, long nowMillis) {
    asked = true;
    askedAtMillis = nowMillis;
    host.send(peer, note);
  }

  /**
   * Handles a peer's answer.
   *
   * @return whether the note is one
   */
  boolean handle(int peer, PeerNote note, long nowMillis) throws IOException {
    if (note instanceof Tail tail) {
      received(peer, tail);
    } else if (note instanceof OtherHistory other) {
      received(peer, other);
    } else if (note instanceof Common answer) {
      received(peer, answer, nowMillis);
    } else if (note instanceof SnapshotOffer offer) {
      received(peer, offer, nowMillis);
    } else if (note instanceof SnapshotPiece piece) {
      received(peer, piece, nowMillis);
    } else {
      return false;
    }
    return true;
  }

  // ---------------------------------------------------------------- decisions

  /** A peer's answer to {@link FetchTail}. */
  private void received(int peer, Tail tail) throws IOException {
    asked = false;
    if (busy || !host.mayLearn()) {
      return;
    }
    List<Decision> learned = new ArrayList<>();
    for (Decision decision : tail.decisions()) {
      if (decision.instance() <= decisions.last().instance()) {
        continue;
      }
      if (!chain.follows(decisions.last(), decision)) {
        host.differs(peer, decision.instance(), decision.regency());
        break;
      }
      decisions.append(decision);
      learned.add(decision);
    }
    if (!learned.isEmpty()) {
      host.learned(peer, learned);
    }
  }

  /** A peer reports that the decision that this replica named is not in its history. */
  private void received(int peer, OtherHistory note) throws IOException {
    asked = false;
    host.differs(peer, note.instance(), note.regency());
  }

  // ---------------------------------------------------------------- dropping decisions

  /** Drops decisions that a peer's history does not contain; each call takes one step. */
  void dropDiffering(int peer, long nowMillis) throws IOException {
    if (busy || !mayAsk(PATIENCE_MILLIS, nowMillis)) {
      return;
    }
    CommonHistory search = common;
    if (search == null || comparedWith != peer) {
      search = new CommonHistory(floor(), decisions.last().instance());
      common = search;
      comparedWith = peer;
    }
    questions = search.questions(decisions::chainAfter);
    if (questions.isEmpty()) {
      nothingInCommon(peer, nowMillis);
    } else {
      ask(peer, new Compare(questions), nowMillis);
    }
  }

  private long floor() throws IOException {
    try (io.lockstep.store.log.StoredSnapshot snapshot = decisions.latestSnapshot()) {
      return snapshot == null ? -1 : snapshot.at().instance();
    }
  }

  private void nothingInCommon(int peer, long nowMillis) {
    common = null;
    ask(peer, new FetchSnapshot(Common.NONE, 0), nowMillis);
  }

  /** A peer's answer to {@link Compare}. */
  private void received(int peer, Common answer, long nowMillis) throws IOException {
    CommonHistory search = common;
    asked = false;
    if (search == null || peer != comparedWith || busy || !host.recovering()) {
      return;
    }
    search.answered(questions, answer.instance());
    if (!search.found()) {
      dropDiffering(peer, nowMillis);
      return;
    }
    long instance = search.instance();
    if (instance == Common.NONE) {
      nothingInCommon(peer, nowMillis);
      return;
    }
    common = null;
    Decision last = decisions.last();
    if (instance == last.instance()) {
      host.same();
      return;
    }
    log.warn(
        peer,
        "drops its decisions of instances {} to {}: the history of replica {} differs",
        instance + 1,
        last.instance(),
        peer);
    inBackground(
        "dropping decisions",
        () -> cut = truncate(instance),
        () -> {
          if (cut) {
            host.replaced("dropped its decisions after instance " + instance);
          }
        });
  }

  /**
   * Whether the log now ends there. If not, a snapshot was made meanwhile and the search starts
   * again.
   */
  private boolean truncate(long instance) throws IOException {
    try {
      decisions.truncateAfter(instance);
      return true;
    } catch (IllegalArgumentException overtaken) {
      log.warn(
          "overtaken",
          "cannot drop the decisions after instance {}: {}",
          instance,
          overtaken.getMessage());
      return false;
    }
  }

  /**
   * Runs a job on another thread, during which this replica learns nothing, and then work on this
   * one.
   */
  void inBackground(String what, BackgroundJobs.Job job, Runnable then) {
    busy = true;
    host.inBackground(
        what,
        job,
        () -> {
          busy = false;
          then.run();
        });
  }

  // ---------------------------------------------------------------- snapshots

  /** A peer no longer has the decisions that this replica lacks. */
  private void received(int peer, SnapshotOffer offer, long nowMillis) {
    asked = false;
    Arriving snapshot = arriving;
    if (!host.recovering()) {
      host.outrun();
      return;
    }
    if (busy) {
      return;
    }
    if (snapshot != null) {
      // The peer has closed the snapshot that this replica had begun to fetch.
      drop(snapshot);
    }
    log.info(
        peer,
        "fetches a snapshot of {} bytes at instance {} from replica {}",
        offer.totalBytes(),
        offer.at().instance(),
        peer);
    SnapshotSink[] sink = new SnapshotSink[1];
    inBackground(
        "beginning a snapshot",
        () -> sink[0] = decisions.startOver(offer.at()),
        () -> {
          Arriving begun = new Arriving(peer, offer, sink[0], nowMillis);
          arriving = begun;
          ask(peer, new FetchSnapshot(begun.at.instance(), 0), nowMillis);
        });
  }

  private void continueSnapshot(Arriving snapshot, long nowMillis) {
    if (nowMillis - snapshot.movedAtMillis > GIVE_UP_MILLIS) {
      log.warn(snapshot.peer, "replica {} no longer sends its snapshot", snapshot.peer);
      drop(snapshot);
    } else if (mayAsk(PIECE_PATIENCE_MILLIS, nowMillis)) {
      ask(snapshot.peer, new FetchSnapshot(snapshot.at.instance(), snapshot.offset), nowMillis);
    }
  }

  private void drop(Arriving snapshot) {
    arriving = null;
    host.inBackground("dropping a snapshot", snapshot.sink::close, () -> {});
  }

  /** A peer's answer to {@link FetchSnapshot}. */
  private void received(int peer, SnapshotPiece piece, long nowMillis) {
    Arriving snapshot = arriving;
    if (snapshot == null
        || busy
        || peer != snapshot.peer
        || piece.instance() != snapshot.at.instance()
        || piece.offset() != snapshot.offset) {
      return;
    }
    asked = false;
    snapshot.offset += piece.bytes().length;
    snapshot.movedAtMillis = nowMillis;
    boolean complete = snapshot.offset >= snapshot.totalBytes;
    if (!complete && piece.bytes().length == 0) {
      drop(snapshot);
      return;
    }
    inBackground(
        "writing a snapshot",
        () -> {
          snapshot.sink.write(piece.bytes(), 0, piece.bytes().length);
          if (complete) {
            snapshot.sink.commit();
            snapshot.sink.close();
          }
        },
        () -> {
          if (complete) {
            arriving = null;
            host.replaced("received the snapshot of replica " + peer);
          } else {
            ask(
                peer,
                new FetchSnapshot(snapshot.at.instance(), snapshot.offset),
                snapshot.movedAtMillis);
          }
        });
  }
}
