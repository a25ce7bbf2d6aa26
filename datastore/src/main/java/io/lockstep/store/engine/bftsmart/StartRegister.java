package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.PeerNote.Known;
import io.lockstep.store.engine.bftsmart.StartRules.Answer;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.log.Progress;
import io.lockstep.store.log.Start;
import io.lockstep.store.logging.BoundedLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives each start of this replica a number, keeps the numbers of the others' starts, and refuses
 * old copies of a directory: of this one's by ending the replica, of a peer's by not hearing its
 * beats ({@link StartRules}, docs/adr/0014).
 *
 * <p>The number is on this replica's disk before a peer hears of it, and on the disks of a majority
 * before this replica takes part.
 *
 * <p>Owned by the replica's loop.
 */
final class StartRegister {
  private static final BoundedLog log = BoundedLog.of(StartRegister.class);

  /** A peer, as far as it concerns starts. */
  private static final class Peer {
    /** What this process has heard of it; {@link Start#NONE} where nothing. */
    Known seen = new Known(Start.NONE, Progress.NONE);

    /** Whether it has said anything since this replica started. */
    boolean heard;

    /** Whether its beats count. */
    boolean counts;

    /** Whether it was logged that they do not. */
    boolean refused;

    /** Whether nobody listens at its address. */
    boolean absent;

    /** Whether it keeps this replica's start. */
    boolean keeps;
  }

  private final ReplicaHome home;
  private final int self;
  private final DecisionLog decisions;
  private final boolean remembers;
  private final Progress found;
  private final List<Peer> peers = new ArrayList<>();
  private Start own;
  private long waitsSinceMillis = -1;

  /**
   * Begins a start of this replica: on its disk, and nowhere else yet.
   *
   * @throws IllegalStateException where the disk does not take it
   */
  StartRegister(ReplicaHome home, DecisionLog decisions) {
    this.home = home;
    this.self = home.config().replicaId();
    this.decisions = decisions;
    this.remembers = decisions.joined();
    this.found = decisions.progress();
    for (int id = 0; id < home.config().members().size(); id++) {
      // This replica has a place too, which is not used.
      peers.add(new Peer());
    }
    try {
      this.own = startAfter(decisions.start(self));
    } catch (IOException e) {
      throw new IllegalStateException("replica " + self + " cannot keep its start", e);
    }
  }

  private Start startAfter(Start taken) throws IOException {
    Start start = new Start(Math.addExact(taken.number(), 1), home.nonce());
    decisions.keepStart(self, start);
    return start;
  }

  /** What this replica says of all starts. */
  PeerNote.Starts own() {
    List<Known> known = new ArrayList<>(peers.size());
    for (int id = 0; id < peers.size(); id++) {
      known.add(
          id == self
              ? new Known(own, decisions.progress())
              : new Known(decisions.start(id), peers.get(id).seen.furthest()));
    }
    return new PeerNote.Starts(remembers, known);
  }

  /** Whether this start may take part. */
  boolean confirmed(long nowMillis) {
    if (waitsSinceMillis < 0) {
      waitsSinceMillis = nowMillis;
    }
    int keepers = 0;
    int unheard = 0;
    for (int id = 0; id < peers.size(); id++) {
      Peer peer = peers.get(id);
      keepers += peer.keeps ? 1 : 0;
      unheard += id == self || peer.heard || peer.absent ? 0 : 1;
    }
    return StartRules.mayTakePart(peers.size(), keepers, unheard, nowMillis - waitsSinceMillis);
  }

  /** Whether it waits for longer than the others' answers take. */
  boolean waitsLong(long nowMillis) {
    return waitsSinceMillis >= 0 && nowMillis - waitsSinceMillis >= StartRules.PATIENCE_MILLIS;
  }

  /**
   * Takes what concerns starts.
   *
   * @return whether that is all: also for the beat of a peer whose start does not count
   */
  boolean handle(int sender, PeerNote note) throws IOException {
    Peer peer = peers.get(sender);
    if (note instanceof PeerNote.Starts starts) {
      heard(sender, starts);
      return true;
    }
    if (note instanceof PeerNote.LinkUp
        || note instanceof PeerNote.LinkDown
        || note instanceof PeerNote.Refused) {
      // The peer's process may be another one now.
      peer.counts = false;
      peer.absent = note instanceof PeerNote.Refused;
    }
    return note instanceof PeerNote.Beat && !peer.counts;
  }

  private void heard(int sender, PeerNote.Starts said) throws IOException {
    peers.get(sender).heard = true;
    boolean waits = hear(sender, said);
    judge(sender, said.of(self));
    for (int id = 0; id < peers.size(); id++) {
      // Of a replica that this process has not heard itself it believes what others keep.
      Start theirs = said.of(id).start();
      if (id != self && !peers.get(id).heard && theirs.isAfter(decisions.start(id))) {
        decisions.keepStart(id, theirs);
      }
    }
    if (waits) {
      home.send(new int[] {sender}, own());
    }
  }

  /** What a peer says of itself; returns whether it waits for an answer. */
  private boolean hear(int sender, PeerNote.Starts said) throws IOException {
    Peer peer = peers.get(sender);
    Known theirs = said.of(sender);
    Start kept = decisions.start(sender);
    peer.counts = StartRules.counts(kept, peer.seen, said.remembers(), theirs);
    if (!peer.counts) {
      boolean news = !peer.refused;
      peer.refused = true;
      if (news && said.remembers()) {
        log.warn(
            sender,
            "replica {} does not hear replica {}, which runs on an old copy of its directory: it"
                + " says start {} with {}, known are start {} and {}",
            self,
            sender,
            theirs.start(),
            theirs.furthest(),
            kept,
            peer.seen.furthest());
      }
      return news;
    }
    peer.refused = false;
    if (theirs.start().isAfter(kept)) {
      decisions.keepStart(sender, theirs.start());
    }
    boolean news = !theirs.start().equals(peer.seen.start());
    peer.seen = theirs;
    return news;
  }

  /** What a peer says of this replica. */
  private void judge(int sender, Known said) throws IOException {
    Answer answer = StartRules.answer(own, remembers, found, said);
    peers.get(sender).keeps |= answer == Answer.KEPT;
    if (answer == Answer.TAKEN) {
      own = startAfter(said.start());
      peers.forEach(peer -> peer.keeps = false);
    } else if (answer == Answer.OUTDATED) {
      home.refuse(
          decisions.place()
              + " is an old copy of this replica's directory: this would be its start "
              + own
              + ", and replica "
              + sender
              + " knows of start "
              + said.start()
              + " already"
              + remedy(sender));
    } else if (answer == Answer.REGRESSED) {
      home.refuse(
          decisions.place()
              + " is an old copy of this replica's directory: start "
              + own
              + " finds "
              + found
              + " in it, and replica "
              + sender
              + " knows that start "
              + said.start()
              + " had "
              + said.furthest()
              + remedy(sender));
    }
  }

  private static String remedy(int peer) {
    return ". What it acknowledged since may be missing. Move the directory away and start this"
        + " replica again: it is filled anew once all other replicas answer. If all replicas were"
        + " restored from a backup, replica "
        + peer
        + " was not: restore it too";
  }
}
