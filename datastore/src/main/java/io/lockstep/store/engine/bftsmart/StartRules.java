package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.PeerNote.Known;
import io.lockstep.store.log.Progress;
import io.lockstep.store.log.Start;

/**
 * Which start of a replica may go on: the rules of docs/adr/0014. An older copy of a directory is
 * known by a start that is not the newest, or by a log that has come less far than a peer has seen
 * it in an earlier start.
 *
 * <p>A replica that remembers nothing is no old copy: it is refilled, and only told which numbers
 * are taken.
 *
 * <p>Pure: no state, no clock.
 */
final class StartRules {

  /** What a replica makes of what a peer says of its start. */
  enum Answer {
    /** The peer keeps this start: it will refuse earlier ones. */
    KEPT,
    /** The peer does not yet. */
    OPEN,
    /** The number is taken, and this replica, which remembers nothing, takes a higher one. */
    TAKEN,
    /** The peer knows of a later start, or of another one with the same number. */
    OUTDATED,
    /** The peer has seen more on the disk than there is. */
    REGRESSED
  }

  /** For so long a replica waits for the word of peers that may be there. */
  static final long PATIENCE_MILLIS = 1_000;

  private StartRules() {}

  /**
   * Whether a peer's start is the newest as far as this replica knows, so that it counts.
   *
   * @param kept the peer's newest start that this replica keeps
   * @param seen what this process has heard of the peer itself before
   * @param remembers whether the peer has a memory
   * @param said what the peer says of itself
   */
  static boolean counts(Start kept, Known seen, boolean remembers, Known said) {
    if (!said.start().equals(kept) && !said.start().isAfter(kept)) {
      return false;
    }
    boolean sameRun = said.start().equals(seen.start());
    return sameRun || !remembers || said.furthest().compareTo(seen.furthest()) >= 0;
  }

  /**
   * What a peer's word means for this replica's own start.
   *
   * @param own this start
   * @param remembers whether this replica has a memory
   * @param found how far the log had come when the replica started
   * @param said what the peer keeps and has seen of this replica
   */
  static Answer answer(Start own, boolean remembers, Progress found, Known said) {
    if (said.start().equals(own)) {
      return Answer.KEPT;
    }
    if (!own.isAfter(said.start())) {
      return remembers ? Answer.OUTDATED : Answer.TAKEN;
    }
    return remembers && said.furthest().compareTo(found) > 0 ? Answer.REGRESSED : Answer.OPEN;
  }

  /**
   * Whether a start may take part: a majority keeps it, this replica included, and so does every
   * peer that could know better, unless it is silent for too long.
   *
   * @param keepers peers that keep it
   * @param unheard peers that have said nothing yet and may be there
   * @param waitedMillis since this replica is ready to take part
   */
  static boolean mayTakePart(int members, int keepers, int unheard, long waitedMillis) {
    return keepers + 1 > members / 2 && (unheard == 0 || waitedMillis >= PATIENCE_MILLIS);
  }
}
