package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.PeerNote.Known;
import io.lockstep.store.log.OwnStart;
import io.lockstep.store.log.Progress;
import io.lockstep.store.log.Start;
import java.util.List;

/**
 * Which start of a replica may go on: the rules of docs/adr/0014. An older copy of a directory does
 * not have a start that a peer keeps, or its log has come less far than a peer has heard of it.
 *
 * <p>A replica that remembers nothing is no old copy: it is refilled, and takes a number above
 * those that peers keep.
 *
 * <p>Pure: no state, no clock.
 */
final class StartRules {

  /** What a replica makes of what a peer says of its starts. */
  enum Answer {
    /** The peer keeps this start: it will refuse earlier ones. */
    KEPT,
    /** The peer does not yet. */
    OPEN,
    /** The number is taken, and this replica, which remembers nothing, takes a higher one. */
    TAKEN,
    /** The peer knows of a start that this directory has not had. */
    OUTDATED,
    /** The peer has heard of more in the log than there was. */
    REGRESSED
  }

  /** For so long a replica waits for the word of peers that may be there. */
  static final long PATIENCE_MILLIS = 1_000;

  private StartRules() {}

  /**
   * Whether a peer's start is the newest as far as this replica knows, so that its beats count.
   *
   * @param known what this replica knows of the peer
   * @param before the start before on the peer's directory, NONE where the peer has no memory
   * @param said what the peer says of itself
   */
  static boolean counts(Known known, Start before, Known said) {
    boolean begun = !said.kept().equals(Start.NONE);
    boolean newest = said.kept().equals(known.kept()) || said.kept().isAfter(known.kept());
    boolean follows = !before.equals(Start.NONE) && before.equals(known.seen());
    return begun && newest && !(follows && said.furthest().compareTo(known.furthest()) < 0);
  }

  /**
   * What a peer's word means for this replica.
   *
   * @param remembers whether this replica started with a memory
   * @param starts of this directory, oldest first
   * @param begun whether the last of them is the present one
   * @param found how far the log had come when this replica started
   * @param said what the peer keeps and has heard of this replica
   */
  static Answer answer(
      boolean remembers, List<OwnStart> starts, boolean begun, Progress found, Known said) {
    if (lacks(starts, said.kept()) || lacks(starts, said.seen())) {
      return remembers ? Answer.OUTDATED : Answer.TAKEN;
    }
    if (remembers && said.furthest().compareTo(foundAfter(said.seen(), starts, begun, found)) > 0) {
      return Answer.REGRESSED;
    }
    return begun && said.kept().equals(newest(starts)) ? Answer.KEPT : Answer.OPEN;
  }

  /** The last of the starts, {@link Start#NONE} where there is none. */
  static Start newest(List<OwnStart> starts) {
    return starts.isEmpty() ? Start.NONE : starts.get(starts.size() - 1).start();
  }

  /** Whether a start that a peer knows of was one of another copy than this directory. */
  static boolean lacks(List<OwnStart> starts, Start start) {
    return start.isAfter(newest(starts))
        || starts.stream()
            .map(OwnStart::start)
            .anyMatch(own -> own.number() == start.number() && !own.equals(start));
  }

  /**
   * How far the log had come when the start after the given one began, of which what was heard in
   * that one is a part; further than anything where there is nothing to compare with.
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
   * Whether enough peers have answered: with this replica a majority, and all others that could
   * know better, unless they are silent for too long.
   *
   * @param peers that have
   * @param unheard peers that have said nothing yet and may be there
   * @param waitedMillis since this replica has begun to ask
   */
  static boolean enough(int members, int peers, int unheard, long waitedMillis) {
    return peers + 1 > members / 2 && (unheard == 0 || waitedMillis >= PATIENCE_MILLIS);
  }
}
