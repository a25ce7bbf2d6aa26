package io.lockstep.dataplane.profile;

/**
 * How a switch moves entries from software to hardware by itself when there is room again.
 *
 * @param rulesPerSecond entries moved at most
 * @param deadUntilResent whether an entry that was moved forwards nothing until its flow-mod is
 *     sent again
 */
public record PromotionProfile(Order order, double rulesPerSecond, boolean deadUntilResent) {
  public PromotionProfile {
    if (!(rulesPerSecond > 0 && rulesPerSecond <= 1e6)) {
      throw new IllegalArgumentException("more than 0 rules a second, not " + rulesPerSecond);
    }
  }

  /** Which of the waiting entries is next. */
  public enum Order {
    /** The one that was installed first. */
    FIFO,
    /** The one that was installed last. */
    LIFO
  }
}
