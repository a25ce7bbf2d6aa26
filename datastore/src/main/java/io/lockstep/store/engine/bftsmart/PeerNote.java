package io.lockstep.store.engine.bftsmart;

import java.util.List;

/**
 * What replicas tell each other beside the library's protocol. Immutable; arrays are not copied.
 */
sealed interface PeerNote {

  /** Length of a chain hash in bytes. */
  int CHAIN_BYTES = 32;

  /**
   * Sent every beat interval.
   *
   * @param regency number of the leader's term in which the sender takes part
   * @param operational whether the sender takes part
   * @param missed the term whose leader the sender has given up, or -1
   * @param leaderSeen whether the sender has known the leader to take part in this term
   * @param decided the last instance known to be decided, at least {@code applied}
   * @param applied the last instance applied, -1 where none
   * @param chain the chain hash after {@code applied}
   */
  record Beat(
      int regency,
      boolean operational,
      int missed,
      boolean leaderSeen,
      long decided,
      long applied,
      byte[] chain)
      implements PeerNote {}

  /**
   * Asks for what follows.
   *
   * @param applied the last instance the sender has, -1 where none
   * @param chain the chain hash after it
   */
  record FetchTail(long applied, byte[] chain) implements PeerNote {}

  /**
   * Asks for a piece of a snapshot.
   *
   * @param instance the snapshot begun before, or -1 to begin with a fresh one
   * @param offset first byte wanted
   */
  record FetchSnapshot(long instance, int offset) implements PeerNote {}

  /** Consecutive decisions, possibly none. */
  record Tail(List<OrderedState.Decision> decisions) implements PeerNote {}

  /**
   * A piece of a snapshot.
   *
   * @param instance the last instance in it
   * @param totalBytes its length
   * @param offset position of the first byte
   * @param bytes the piece
   */
  record SnapshotPiece(long instance, int totalBytes, int offset, byte[] bytes)
      implements PeerNote {}

  /** The sender's history does not contain what was named in a {@link FetchTail}. */
  record OtherHistory() implements PeerNote {}

  /** Not sent: a link to the peer has just been established. */
  record LinkUp() implements PeerNote {}

  /** Not sent: the link to the peer has just been lost. */
  record LinkDown() implements PeerNote {}

  /** Not sent: there is no link to the peer, and nobody listens at its address. */
  record Refused() implements PeerNote {}

  /** Not sent: time to look around. */
  record Tick() implements PeerNote {}
}
