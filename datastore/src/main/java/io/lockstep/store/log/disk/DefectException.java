package io.lockstep.store.log.disk;

import java.io.IOException;

/** Reports a part of a file that is damaged or cannot be read. */
abstract class DefectException extends IOException {
  private static final long serialVersionUID = 1L;

  private final Damage damage;

  DefectException(Damage damage) {
    super(damage.toString());
    this.damage = damage;
  }

  /** The place and the finding. */
  public final Damage damage() {
    return damage;
  }
}
