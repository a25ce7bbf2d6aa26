package io.lockstep.store.engine;

/**
 * A log or a snapshot requires a version of the cluster that this release does not know. The
 * replica must halt, because its state would diverge from that of the others. The message names the
 * remedy.
 */
public final class UnknownRulesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param number the version that the cluster is at
   * @param newest the newest version that this release knows
   */
  public UnknownRulesException(long number, int newest) {
    super(
        "the cluster is at version "
            + number
            + ", this release of Lockstep knows versions up to "
            + newest
            + ": run the release that the other nodes run, or a newer one");
  }
}
