package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.PeerNote.Known;
import io.lockstep.store.engine.bftsmart.StartRules.Answer;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.log.OwnStart;
import io.lockstep.store.log.Progress;
import io.lockstep.store.log.Start;
import io.lockstep.store.logging.BoundedLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Gives each start of this replica a number, keeps the numbers of the others' starts, and refuses
 * old copies of a directory. If its own directory is an old copy, the replica ends. If a peer's is,
 * this replica ignores the peer's beats ({@link StartRules}, docs/adr/0014).
 *
 * <p>A start takes its number once a majority has reported the starts that it knows. An old copy
 * that is refused, or has no peers, has not taken one, so the next start finds the same old copy.
 * The number is on this replica's disk before a peer gets it, and on the disks of a majority before
 * this replica takes part.
 *
 * <p>Owned by the replica's loop.
 */
final class StartRegister {
  private static final BoundedLog log = BoundedLog.of(StartRegister.class);

  /** The state of a peer that concerns starts. */
  private static final class Peer {
    /** The last of the peer's starts that this process has received itself. */
    Start seen = Start.NONE;

    /** How far the peer's log had come then. */
    Progress furthest = Progress.NONE;

    /** Whether it has sent anything since this replica started. */
    boolean heard;

    /** Its start as it last reported on the present link; null if it has not. */
    @Nullable Start reported;

    /** Whether its beats count. */
    boolean counts;

    /** Whether the log has a line that its beats do not count. */
    boolean refused;

    /** Whether no process listens at its address. */
    boolean absent;

    /** Whether it keeps this replica's start. */
    boolean keeps;
  }

  private final ReplicaHost host;
  private final int self;
  private final DecisionLog decisions;
  private final boolean remembers;
  private final Start before;
  private final Progress found;
  private final List<Peer> peers = new ArrayList<>();
  private boolean begun;

  /** The highest number of this replica that others keep. */
  private long taken;

  private long waitsSinceMillis = -1;

  /** Only reads; changes nothing yet. */
  StartRegister(ReplicaHost host, DecisionLog decisions) {
    this.host = host;
    this.self = host.config().replicaId();
    this.decisions = decisions;
    this.remembers = decisions.joined();
    this.before = remembers ? StartRules.newest(decisions.ownStarts()) : Start.NONE;
    this.found = decisions.progress();
    for (int id = 0; id < host.config().members().size(); id++) {
      // This replica has an entry too, which is not used.
      peers.add(new Peer());
    }
  }

  /** This replica's note about all starts. */
  PeerNote.Starts own() {
    List<Known> known = new ArrayList<>(peers.size());
    for (int id = 0; id < peers.size(); id++) {
      known.add(id == self ? ofItself() : of(id));
    }
    return new PeerNote.Starts(before, known);
  }

  private Known ofItself() {
    Start own = begun ? StartRules.newest(decisions.ownStarts()) : Start.NONE;
    return new Known(own, own, decisions.progress());
  }

  private Known of(int id) {
    Peer peer = peers.get(id);
    return new Known(decisions.start(id), peer.seen, peer.furthest);
  }

  /** Whether this start may take part. Takes a number for it once enough peers have answered. */
  boolean confirmed(long nowMillis) throws IOException {
    if (waitsSinceMillis < 0) {
      waitsSinceMillis = nowMillis;
    }
    if (!begun && !host.stopped() && enough(peer -> peer.heard, nowMillis)) {
      begin();
      host.send(others(id -> true), own());
    }
    return begun && enough(peer -> peer.keeps, nowMillis);
  }

  private boolean enough(Predicate<Peer> answered, long nowMillis) {
    return StartRules.enough(
        peers.size(),
        others(id -> answered.test(peers.get(id))).length,
        others(id -> !peers.get(id).heard && !peers.get(id).absent).length,
        nowMillis - waitsSinceMillis);
  }

  private int[] others(Predicate<Integer> which) {
    return IntStream.range(0, peers.size()).filter(id -> id != self && which.test(id)).toArray();
  }

  private void begin() throws IOException {
    // The earlier starts of a directory without a memory do not matter to any peer.
    List<OwnStart> starts = new ArrayList<>(remembers ? decisions.ownStarts() : List.of());
    long last = Math.max(taken, StartRules.newest(decisions.ownStarts()).number());
    starts.add(new OwnStart(new Start(Math.addExact(last, 1), host.nonce()), found));
    int tooMany = Math.max(0, starts.size() - OwnStart.MOST_KEPT);
    decisions.keepOwnStarts(starts.subList(tooMany, starts.size()));
    begun = true;
    peers.forEach(peer -> peer.keeps = false);
  }

  /** The reason of a wait that is longer than the others' answers take; null if there is none. */
  @Nullable String waitsFor(long nowMillis) {
    if (waitsSinceMillis < 0 || nowMillis - waitsSinceMillis < StartRules.PATIENCE_MILLIS) {
      return null;
    }
    return begun
        ? "a majority must store its start first; these have not: " + list(peer -> !peer.keeps)
        : "it needs answers from a majority first; these have not answered: "
            + list(peer -> !peer.heard);
  }

  private String list(Predicate<Peer> which) {
    return IntStream.of(others(id -> which.test(peers.get(id))))
        .mapToObj(id -> "replica " + id + " at " + host.config().members().get(id).host())
        .collect(Collectors.joining(", "));
  }

  /**
   * Handles notes about starts.
   *
   * @return whether the note is done; also true for the beat of a peer whose start does not count
   */
  boolean handle(int sender, PeerNote note) throws IOException {
    Peer peer = peers.get(sender);
    if (note instanceof PeerNote.Starts starts) {
      received(sender, starts);
      return true;
    }
    if (note instanceof PeerNote.LinkUp
        || note instanceof PeerNote.LinkDown
        || note instanceof PeerNote.Refused) {
      // The peer's process may be a new one.
      peer.counts = false;
      peer.reported = null;
      peer.absent = note instanceof PeerNote.Refused;
    }
    return note instanceof PeerNote.Beat && !peer.counts;
  }

  private void received(int sender, PeerNote.Starts reported) throws IOException {
    Peer peer = peers.get(sender);
    Start theirs = reported.of(sender).kept();
    boolean waits = !theirs.equals(peer.reported);
    peer.reported = theirs;
    peer.heard = true;
    handleStart(sender, reported);
    handleEntryForThis(sender, reported.of(self));
    for (int id : others(id -> id != sender)) {
      handleEntryForOther(id, reported.of(id).kept());
    }
    if (waits) {
      host.send(new int[] {sender}, own());
    }
  }

  /** Handles a peer's start. */
  private void handleStart(int sender, PeerNote.Starts reported) throws IOException {
    Peer peer = peers.get(sender);
    Known theirs = reported.of(sender);
    peer.counts = StartRules.counts(of(sender), reported.before(), theirs);
    if (peer.counts) {
      if (theirs.kept().isAfter(decisions.start(sender))) {
        decisions.keepStart(sender, theirs.kept());
      }
      peer.refused = false;
      peer.seen = theirs.kept();
      peer.furthest = theirs.furthest();
    } else if (!theirs.kept().equals(Start.NONE) && !peer.refused) {
      peer.refused = true;
      log.warn(
          sender,
          "replica {} ignores replica {}, which runs on an old copy of its directory: that replica"
              + " reports start {} with {}, but start {} with {} is known",
          self,
          sender,
          theirs.kept(),
          theirs.furthest(),
          decisions.start(sender),
          peer.furthest);
    }
  }

  /** Handles a peer's entry for a third replica, which had that start on its disk before. */
  private void handleEntryForOther(int id, Start theirs) throws IOException {
    if (theirs.isAfter(decisions.start(id))) {
      decisions.keepStart(id, theirs);
      peers.get(id).counts = false;
    }
  }

  /** Handles a peer's entry for this replica. */
  private void handleEntryForThis(int sender, Known reported) throws IOException {
    Answer answer = StartRules.answer(remembers, decisions.ownStarts(), begun, found, reported);
    peers.get(sender).keeps |= answer == Answer.KEPT;
    if (answer == Answer.TAKEN) {
      taken = Math.max(taken, reported.kept().number());
      if (begun) {
        begin();
      }
    } else if (answer == Answer.OUTDATED) {
      List<OwnStart> starts = decisions.ownStarts();
      refuse(
          sender,
          "its last start was "
              + StartRules.newest(starts)
              + ", and replica "
              + sender
              + " knows of a start "
              + (StartRules.lacks(starts, reported.kept()) ? reported.kept() : reported.seen())
              + " on another copy");
    } else if (answer == Answer.REGRESSED) {
      refuse(
          sender,
          "its log reaches "
              + found
              + ", but replica "
              + sender
              + " knows that its start "
              + reported.seen()
              + " reached "
              + reported.furthest());
    }
  }

  private void refuse(int peer, String why) {
    host.refuse(
        decisions.place()
            + " is an old copy of this replica's directory: "
            + why
            + ". Operations that this replica acknowledged later may be missing from it. Move the"
            + " directory away and start this replica again: it fetches its data once all other"
            + " replicas answer. If replicas were restored from a backup, stop all and restore all"
            + " again, replica "
            + peer
            + " too");
  }
}
