package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.Rules;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.Progress;
import io.lockstep.store.log.Start;
import java.util.List;

/**
 * The messages between replicas beside the library's protocol. Immutable; arrays are not copied.
 */
sealed interface PeerNote {

  /** Length of a chain hash in bytes. */
  int CHAIN_BYTES = Decision.CHAIN_BYTES;

  /**
   * Sent every beat interval.
   *
   * @param regency the leader's term in which the sender takes part, or last did; -1 if none
   * @param operational whether the sender takes part in {@code regency}
   * @param missed the term whose leader the sender suspects, or -1
   * @param leaderSeen whether the sender has seen the leader take part in {@code regency}
   * @param joined whether the sender's log records that it has taken part in this cluster
   * @param promised the highest term that the sender has promised; it ignores lower ones
   * @param asking the term that a sender without one has asked for, or -1
   * @param last the last instance in the sender's log, -1 if none
   * @param lastRegency the term in which it was decided
   * @param chain the chain hash after it
   * @param willingness how gladly the sender leads; {@code WILLING} unless it has {@code joined}
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
      byte[] chain,
      Willingness willingness)
      implements PeerNote {}

  /**
   * Precedes each beat: the starts of all replicas that the sender keeps.
   *
   * @param before the sender's start before this one, on the same directory; {@link Start#NONE} if
   *     it started without a memory
   * @param known by replica id, the sender's own start and progress included
   */
  record Starts(Start before, List<Known> known) implements PeerNote {

    /** The entry of a replica; an empty one if the sender's list of members is shorter. */
    Known of(int replica) {
      return replica < known.size() ? known.get(replica) : Known.NOTHING;
    }
  }

  /**
   * A replica's knowledge of one replica's starts.
   *
   * @param kept the newest start that is on the sender's disk; for the sender itself {@link
   *     Start#NONE} until it has taken a number
   * @param seen the start that the sender's process has received itself; for the sender itself as
   *     above
   * @param furthest how far that replica's log had come, as that replica reported in the start
   *     {@code seen}
   */
  record Known(Start kept, Start seen, Progress furthest) {
    static final Known NOTHING = new Known(Start.NONE, Start.NONE, Progress.NONE);
  }

  /**
   * Precedes a report to a new leader, and the leader's answer: the history that the message rests
   * on.
   *
   * @param regency the term that is about to begin
   * @param instance the last instance in that history, -1 if none
   * @param lastRegency the term in which it was decided
   * @param chain the chain hash after it
   * @param before the chain hash before it
   */
  record ReportedHistory(int regency, long instance, int lastRegency, byte[] chain, byte[] before)
      implements PeerNote {}

  /**
   * Asks for the decisions that follow.
   *
   * @param last the last instance that the sender has, -1 if none
   * @param chain the chain hash after it
   */
  record FetchTail(long last, byte[] chain) implements PeerNote {}

  /** Consecutive decisions, possibly none. */
  record Tail(List<Decision> decisions) implements PeerNote {}

  /**
   * The sender's history does not contain the decision that a {@link FetchTail} named.
   *
   * @param instance the instance that was named
   * @param regency the term in which the sender has decided it
   */
  record OtherHistory(long instance, int regency) implements PeerNote {}

  /**
   * Asks which of these points are in the receiver's history.
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
   * Answers {@link FetchTail} if the sender no longer has those decisions: offers a snapshot.
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
   * The first message on each link: the rules that the sender can follow.
   *
   * @param rules the newest rules that it knows, and the state's limit in its configuration
   */
  record Offer(Rules rules) implements PeerNote {}

  /**
   * Sent on each new link by a replica that knows of a replaced machine, before its first beat.
   *
   * @param known by replica id, the incarnations that the sender knows
   */
  record Incarnations(List<Integer> known) implements PeerNote {}

  /** Not sent: what became of the link to the peer. */
  sealed interface OfLink extends PeerNote {}

  /** Not sent: a link to the peer has just been established. */
  record LinkUp() implements OfLink {}

  /** Not sent: the link to the peer has just been lost. */
  record LinkDown() implements OfLink {}

  /** Not sent: there is no link to the peer, and no process listens at its address. */
  record Refused() implements OfLink {}

  /** Not sent: time for periodic checks. */
  record Tick() implements PeerNote {}

  /** Not sent: work from another thread for the replica's loop. */
  record JobDone(Runnable then) implements PeerNote {}
}
