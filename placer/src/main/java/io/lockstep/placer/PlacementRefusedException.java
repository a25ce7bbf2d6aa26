package io.lockstep.placer;

/**
 * Ends an attempt to place or move a rule that cannot succeed, and carries the reason. The caller
 * undoes the steps of the attempt, and makes another attempt or refuses the change.
 */
final class PlacementRefusedException extends Exception {
  private static final long serialVersionUID = 1;
  private final transient Refusal refusal;

  PlacementRefusedException(Refusal refusal) {
    super(refusal.detail(), null, false, false);
    this.refusal = refusal;
  }

  Refusal refusal() {
    return refusal;
  }
}
