package io.lockstep.store.engine;

/**
 * A log or a snapshot asks for rules that this program does not know. The replica must not go on:
 * its state would part from the others'. The message says which program would do.
 */
public final class UnknownRulesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param number of the rules that are in force
   * @param newest the newest ones that this program knows
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
