package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.Rules;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.Progress;
import io.lockstep.store.log.Start;
import java.util.List;

/**
 * What replicas tell each other beside the library's protocol. Immutable; arrays are not copied.
 */
sealed interface PeerNote {

  /** Length of a chain hash in bytes. */
  int CHAIN_BYTES = Decision.CHAIN_BYTES;

  /**
   * Sent every beat interval.
   *
   * @param regency the leader's term in which the sender takes part, or last did; -1 where none
   * @param operational whether the sender takes part in {@code regency}
   * @param missed the term whose leader the sender has given up, or -1
   * @param leaderSeen whether the sender has known the leader to take part in {@code regency}
   * @param joined whether the sender remembers to have taken part in this cluster
   * @param promised the highest term that the sender has promised to keep to
   * @param asking the term that a sender without one has asked for, or -1
   * @param last the last instance in the sender's log, -1 where none
   * @param lastRegency the term in which it was decided
   * @param chain the chain hash after it
   */
  record Beat(
      int regency,
      boolean operational,
      int missed,
      boolean leaderSeen,
      boolean joined,
      int promised,
      int asking,
      long last,
      int lastRegency,
      byte[] chain)
      implements PeerNote {}

  /**
   * Precedes each beat: which starts of all replicas the sender keeps.
   *
   * @param before the sender's start before this one, on the same directory; {@link Start#NONE}
   *     where it started without a memory
   * @param known by replica id; the sender's own start and progress among them
   */
  record Starts(Start before, List<Known> known) implements PeerNote {

    /** What is known of a replica; nothing where the sender's list of members is shorter. */
    Known of(int replica) {
      return replica < known.size() ? known.get(replica) : Known.NOTHING;
    }
  }

  /**
   * What a replica knows of the starts of one.
   *
   * @param kept the newest start that is on the sender's disk; of the sender itself {@link
   *     Start#NONE} until it has taken a number
   * @param seen the start that the sender's process has heard itself; of the sender itself as above
   * @param furthest how far that replica's log had come by what it said in the start {@code seen}
   */
  record Known(Start kept, Start seen, Progress furthest) {
    static final Known NOTHING = new Known(Start.NONE, Start.NONE, Progress.NONE);
  }

  /**
   * Precedes a report to a new leader, and its answer: the history that the message is based on.
   *
   * @param regency the term that is about to begin
   * @param instance the last instance in that history, -1 where none
   * @param lastRegency the term in which it was decided
   * @param chain the chain hash after it
   * @param before the chain hash before it
   */
  record Standing(int regency, long instance, int lastRegency, byte[] chain, byte[] before)
      implements PeerNote {}

  /**
   * Asks for what follows.
   *
   * @param last the last instance the sender has, -1 where none
   * @param chain the chain hash after it
   */
  record FetchTail(long last, byte[] chain) implements PeerNote {}

  /** Consecutive decisions, possibly none. */
  record Tail(List<Decision> decisions) implements PeerNote {}

  /**
   * The sender's history does not contain what was named in a {@link FetchTail}.
   *
   * @param instance the instance that was named
   * @param regency the term in which the sender has decided it
   */
  record OtherHistory(long instance, int regency) implements PeerNote {}

  /**
   * Asks which of these are in the receiver's history.
   *
   * @param points ascending
   */
  record Compare(List<Point> points) implements PeerNote {}

  /** An instance and the chain hash after it. */
  record Point(long instance, byte[] chain) {}

  /**
   * Answers {@link Compare}.
   *
   * @param instance the last of the points that is in the sender's history, or {@link #NONE}
   */
  record Common(long instance) implements PeerNote {
    static final long NONE = -2;
  }

  /**
   * The decisions that were asked for are no longer there; there is a snapshot instead.
   *
   * @param at the last decision in it
   * @param totalBytes its length
   */
  record SnapshotOffer(Decision at, long totalBytes) implements PeerNote {}

  /**
   * Asks for a piece of an offered snapshot.
   *
   * @param instance the last instance in it
   * @param offset first byte wanted
   */
  record FetchSnapshot(long instance, long offset) implements PeerNote {}

  /**
   * A piece of a snapshot.
   *
   * @param instance the last instance in it
   * @param offset position of the first byte
   * @param bytes the piece
   */
  record SnapshotPiece(long instance, long offset, byte[] bytes) implements PeerNote {}

  /**
   * The first on each link: what the sender can follow.
   *
   * @param rules the newest that it knows, and the limit of the state in its configuration
   */
  record Offer(Rules rules) implements PeerNote {}

  /** Not sent: a link to the peer has just been established. */
  record LinkUp() implements PeerNote {}

  /** Not sent: the link to the peer has just been lost. */
  record LinkDown() implements PeerNote {}

  /** Not sent: there is no link to the peer, and nobody listens at its address. */
  record Refused() implements PeerNote {}

  /** Not sent: time to look around. */
  record Tick() implements PeerNote {}

  /** Not sent: work that another thread leaves to the replica's loop. */
  record Call(Runnable work) implements PeerNote {}
}
