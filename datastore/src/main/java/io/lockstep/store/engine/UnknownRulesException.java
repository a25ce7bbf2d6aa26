package io.lockstep.store.engine;

/**
 * A log or a snapshot requires rules that this program does not know. The replica must halt,
 * because its state would diverge from that of the others. The message names the remedy.
 */
public final class UnknownRulesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param number of the rules that the cluster follows
   * @param newest the highest number that this program knows
   */
  public UnknownRulesException(long number, int newest) {
    super(
        "the cluster's rules have number "
            + number
            + ", this version of Lockstep knows them up to number "
            + newest
            + ": run the version that the other replicas run, or a newer one");
  }
}
