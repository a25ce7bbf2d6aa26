package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.PeerNote.Known;
import io.lockstep.store.log.OwnStart;
import io.lockstep.store.log.Progress;
import io.lockstep.store.log.Start;
import java.util.List;

/**
 * Decides which start of a replica may continue, by the rules of docs/adr/0014. An old copy of a
 * directory lacks a start that a peer keeps, or its log is shorter than a peer knows.
 *
 * <p>A replica without a memory is no old copy. It is refilled, and takes a number above those that
 * peers keep.
 *
 * <p>Pure: no state, no clock.
 */
final class StartRules {

  /** The meaning of a peer's entry for this replica. */
  enum Answer {
    /** The peer keeps this start and will refuse earlier ones. */
    KEPT,
    /** The peer does not keep it yet. */
    OPEN,
    /** The number is taken. This replica, which has no memory, takes a higher one. */
    TAKEN,
    /** The peer knows of a start that this directory has not had. */
    OUTDATED,
    /** The peer knows of more in the log than there was. */
    REGRESSED
  }

  /** How long a replica waits for peers that may be running. */
  static final long PATIENCE_MILLIS = 1_000;

  private StartRules() {}

  /**
   * Whether a peer's start is the newest as far as this replica knows, so that its beats count.
   *
   * @param known this replica's knowledge of the peer
   * @param before the previous start on the peer's directory, NONE if the peer has no memory
   * @param reported the peer's entry for itself
   */
  static boolean counts(Known known, Start before, Known reported) {
    boolean begun = !reported.kept().equals(Start.NONE);
    boolean newest = reported.kept().equals(known.kept()) || reported.kept().isAfter(known.kept());
    boolean follows = !before.equals(Start.NONE) && before.equals(known.seen());
    return begun && newest && !(follows && reported.furthest().compareTo(known.furthest()) < 0);
  }

  /**
   * The meaning of a peer's entry for this replica.
   *
   * @param remembers whether this replica started with a memory
   * @param starts of this directory, oldest first
   * @param begun whether the last of them is the present one
   * @param found how far the log had come when this replica started
   * @param reported the peer's entry for this replica
   */
  static Answer answer(
      boolean remembers, List<OwnStart> starts, boolean begun, Progress found, Known reported) {
    if (lacks(starts, reported.kept()) || lacks(starts, reported.seen())) {
      return remembers ? Answer.OUTDATED : Answer.TAKEN;
    }
    if (remembers
        && reported.furthest().compareTo(foundAfter(reported.seen(), starts, begun, found)) > 0) {
      return Answer.REGRESSED;
    }
    return begun && reported.kept().equals(newest(starts)) ? Answer.KEPT : Answer.OPEN;
  }

  /** The last of the starts, {@link Start#NONE} if there is none. */
  static Start newest(List<OwnStart> starts) {
    return starts.isEmpty() ? Start.NONE : starts.get(starts.size() - 1).start();
  }

  /** Whether a start that a peer knows belongs to another copy of this directory. */
  static boolean lacks(List<OwnStart> starts, Start start) {
    return start.isAfter(newest(starts))
        || starts.stream()
            .map(OwnStart::start)
            .anyMatch(own -> own.number() == start.number() && !own.equals(start));
  }

  /**
   * How far the log had come when the start after the given one began, which includes all that
   * peers heard in the given one. {@link Progress#MOST} if there is nothing to compare with.
   */
  private static Progress foundAfter(
      Start start, List<OwnStart> starts, boolean begun, Progress found) {
    for (int i = 0; i < starts.size(); i++) {
      if (starts.get(i).start().equals(start)) {
        if (i + 1 < starts.size()) {
          return starts.get(i + 1).found();
        }
        return begun ? Progress.MOST : found;
      }
    }
    return Progress.MOST;
  }

  /**
   * Whether enough peers have answered: a majority with this replica, and all others that may know
   * more, unless they are silent for too long.
   *
   * @param peers that have answered
   * @param unheard peers that have not answered yet and may be running
   * @param waitedMillis since this replica began to ask
   */
  static boolean enough(int members, int peers, int unheard, long waitedMillis) {
    return peers + 1 > members / 2 && (unheard == 0 || waitedMillis >= PATIENCE_MILLIS);
  }
}
