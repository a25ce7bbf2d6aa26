package io.lockstep.placer;

/** A move that is not possible; whoever tries moves takes back what was done so far and goes on. */
final class Blocked extends Exception {
  private static final long serialVersionUID = 1;
  private final transient Refusal refusal;

  Blocked(Refusal refusal) {
    super(refusal.detail(), null, false, false);
    this.refusal = refusal;
  }

  Refusal refusal() {
    return refusal;
  }
}
