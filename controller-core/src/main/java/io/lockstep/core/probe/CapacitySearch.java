package io.lockstep.core.probe;

/**
 * Finds the largest number of rules that all go where the first one goes. Doubles until one does
 * not, then halves the interval. Pure: what a number of rules does is asked of {@link Level}.
 */
final class CapacitySearch {

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
   */
  static Found search(Level level, Location wanted, int most) throws ProbeException {
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
      } else if (trial.taken() >= 0 && trial.location() == Location.REFUSED) {
        return new Found(Math.max(fits, trial.taken()), Location.REFUSED, true);
      } else {
        tooMany = tried;
        overflow = trial.location();
      }
    }
    while (tooMany - fits > 1) {
      int middle = fits + (tooMany - fits) / 2;
      if (level.at(middle).location() == wanted) {
        fits = middle;
      } else {
        tooMany = middle;
      }
    }
    return new Found(fits, overflow, true);
  }
}
