package io.lockstep.store.log.disk;

import java.io.IOException;

/** A part of a file is of no use: damaged, or not to be read. */
abstract class DefectException extends IOException {
  private static final long serialVersionUID = 1L;

  private final Damage damage;

  DefectException(Damage damage) {
    super(damage.toString());
    this.damage = damage;
  }

  /** Where and what. */
  public final Damage damage() {
    return damage;
  }
}
