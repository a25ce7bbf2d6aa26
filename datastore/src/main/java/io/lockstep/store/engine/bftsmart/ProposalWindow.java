package io.lockstep.store.engine.bftsmart;

/**
 * Which consensus messages a replica keeps that come before their time. The library would keep any
 * number of them; here those far ahead of the log are dropped, because what lies between has to be
 * fetched anyway, and they with it. Not thread-safe.
 */
final class ProposalWindow {
  /** So many instances after the last in the log. Each has one proposal. */
  static final int INSTANCES = 64;

  private boolean outpaced;

  /** Whether to keep a message, where the log ends with {@code last}. */
  boolean admits(long instance, long last) {
    boolean ahead = instance > last + INSTANCES;
    outpaced |= ahead;
    return !ahead;
  }

  /**
   * Whether messages were dropped since the last call. Those that come from now on are kept, as far
   * as the log has been moved on; so what was dropped is fetched once more, and nothing is missing.
   */
  boolean takeOutpaced() {
    boolean was = outpaced;
    outpaced = false;
    return was;
  }
}
