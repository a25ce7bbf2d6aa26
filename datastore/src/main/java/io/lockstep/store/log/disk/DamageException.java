package io.lockstep.store.log.disk;

import java.io.IOException;

/** Bytes on the disk are not those that were written. */
public final class DamageException extends IOException {
  private static final long serialVersionUID = 1L;

  private final Damage damage;

  DamageException(String file, long offset, String what) {
    this(new Damage(file, offset, what));
  }

  DamageException(Damage damage) {
    super(damage.toString());
    this.damage = damage;
  }

  /** Where and what. */
  public Damage damage() {
    return damage;
  }
}
