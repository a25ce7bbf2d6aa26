package io.lockstep.store.engine.bftsmart;

import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the regency to ask for, by its leader: one that is alive, and of those the most willing.
 *
 * <p>Pure: no state, no clock.
 */
final class Succession {
  /** No regency. */
  static final int NONE = -1;

  /**
   * A replica that takes part in the present regency, as its last beat reports it.
   *
   * @param last the last instance in its log
   */
  record Candidate(Willingness willingness, long last) {}

  private Succession() {}

  /**
   * The next regency whose leader is another one that is not suspected, and is as willing as any
   * such. This avoids a leader change to a dead replica, and to the one that does not lead. If all
   * are suspected, simply the next.
   *
   * @param regency the current one
   */
  static int next(
      int regency, int members, IntPredicate suspected, IntFunction<Willingness> willingness) {
    int best = NONE;
    Willingness most = Willingness.LEAVING;
    for (int next = regency + 1; next < regency + members; next++) {
      int leader = LeaderChangeRules.leaderOf(next, members);
      if (!suspected.test(leader) && (best == NONE || willingness.apply(leader).before(most))) {
        best = next;
        most = willingness.apply(leader);
      }
    }
    return best == NONE ? regency + 1 : best;
  }

  /**
   * The regency to which a leader steps down: the next one of the most willing replica. A replica
   * that lags has to catch up before its regency begins, so others of the same willingness go
   * first.
   *
   * @param regency the current one, or a later one that the leader has asked for in vain
   * @param own how willing the leader is; a successor is more willing
   * @param caughtUp the instance that a successor should have
   * @param candidates null for a replica that does not take part, is suspected, or is the leader
   * @return {@link #NONE} if there is no such replica
   */
  static int successor(
      int regency,
      int members,
      Willingness own,
      long caughtUp,
      IntFunction<@Nullable Candidate> candidates) {
    int best = NONE;
    Candidate chosen = null;
    for (int next = regency + 1; next <= regency + members; next++) {
      Candidate candidate = candidates.apply(LeaderChangeRules.leaderOf(next, members));
      if (candidate != null
          && candidate.willingness.before(own)
          && (chosen == null || isBetter(candidate, chosen, caughtUp))) {
        best = next;
        chosen = candidate;
      }
    }
    return best;
  }

  private static boolean isBetter(Candidate one, Candidate other, long caughtUp) {
    return one.willingness == other.willingness
        ? one.last >= caughtUp && other.last < caughtUp
        : one.willingness.before(other.willingness);
  }
}
