package io.lockstep.history.load;

/**
 * The lines that a history may still get: an operation takes one before it is sent, a key one for
 * its read at the end before it is used. So the file never gets longer, whatever fails.
 * Thread-safe.
 */
public final class LineBudget {
  private int left;

  /**
   * A budget.
   *
   * @param most lines in all
   */
  public LineBudget(int most) {
    left = most;
  }

  /** Takes a line; false where there is none left. */
  synchronized boolean take() {
    if (left == 0) {
      return false;
    }
    left--;
    return true;
  }

  /** Whether there is none left. */
  synchronized boolean spent() {
    return left == 0;
  }
}
