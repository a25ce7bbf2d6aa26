package io.lockstep.core.probe;

/**
 * Finds the largest number of rules that all go where the first one goes. Doubles until one does
 * not, then halves the interval. What was found is asked again on both sides of the border: one
 * wrong answer on the way leads a search astray, and where it ends the answers then differ. Such a
 * search is begun anew, a few times. What a switch refuses is no matter of judgement and is
 * believed. Pure: what a number of rules does is asked of {@link Level}.
 */
final class CapacitySearch {
  /** Searches before the switch is said to answer at random. */
  static final int ROUNDS = 5;

  /** How often each side of the border has to say the same again. */
  static final int CONFIRMATIONS = 2;

  /** What happens to a number of rules. */
  interface Level {
    /**
     * Brings the switch to hold {@code rules} in all, the last of which is looked at.
     *
     * @return where it went; and how many fit for sure where the switch refused
     */
    Trial at(int rules) throws ProbeException;
  }

  /**
   * One trial.
   *
   * @param location of the last rule
   * @param taken how many rules the switch took before it refused one; -1 where it refused none
   */
  record Trial(Location location, int taken) {}

  /**
   * What was found.
   *
   * @param rules that fit; the most that was tried where {@code bounded} is false
   * @param overflow where the next one goes
   * @param bounded whether there is a next one that does not fit
   */
  record Found(int rules, Location overflow, boolean bounded) {}

  private CapacitySearch() {}

  /**
   * Searches; one rule is known to go where it should.
   *
   * @param most rules to try
   * @throws ProbeException also where no search was confirmed
   */
  static Found search(Level level, Location wanted, int most) throws ProbeException {
    String contradiction = "";
    for (int round = 0; round < ROUNDS; round++) {
      Found found = once(level, wanted, most);
      contradiction = contradiction(level, wanted, found);
      if (contradiction.isEmpty()) {
        return found;
      }
    }
    throw new ProbeException(
        "the switch answers differently from one time to the next: in "
            + ROUNDS
            + " searches, what was found was never the same when asked again; the last time "
            + contradiction);
  }

  private static Found once(Level level, Location wanted, int most) throws ProbeException {
    int fits = 1;
    int tooMany = 0;
    Location overflow = Location.REFUSED;
    int next = 2;
    while (tooMany == 0) {
      int tried = Math.min(next, most);
      Trial trial = level.at(tried);
      if (trial.location() == wanted) {
        fits = tried;
        if (tried == most) {
          return new Found(fits, wanted, false);
        }
        next = tried > most / 2 ? most : 2 * tried;
      } else if (trial.location() == Location.REFUSED && trial.taken() >= 0) {
        // All that were taken are known to fit only if the last of them does.
        int taken = Math.max(fits, trial.taken());
        Location last = taken == fits ? wanted : level.at(taken).location();
        if (last == wanted) {
          return new Found(taken, Location.REFUSED, true);
        }
        tooMany = taken;
        overflow = last;
      } else {
        tooMany = tried;
        overflow = trial.location();
      }
    }
    while (tooMany - fits > 1) {
      int middle = fits + (tooMany - fits) / 2;
      Location location = level.at(middle).location();
      if (location == wanted) {
        fits = middle;
      } else {
        tooMany = middle;
        overflow = location;
      }
    }
    return new Found(fits, overflow, true);
  }

  /** What the switch now says differently; empty where it says the same. */
  private static String contradiction(Level level, Location wanted, Found found)
      throws ProbeException {
    boolean judged = found.bounded() && found.overflow() != Location.REFUSED;
    for (int i = 0; i < CONFIRMATIONS; i++) {
      Location inside = level.at(found.rules()).location();
      if (inside != wanted) {
        return differs(found.rules(), wanted, inside);
      }
      Location outside = judged ? level.at(found.rules() + 1).location() : found.overflow();
      if (outside != found.overflow()) {
        return differs(found.rules() + 1, found.overflow(), outside);
      }
    }
    return "";
  }

  private static String differs(int rules, Location before, Location now) {
    return "rule " + rules + " was found in " + before.label() + ", then in " + now.label();
  }
}
