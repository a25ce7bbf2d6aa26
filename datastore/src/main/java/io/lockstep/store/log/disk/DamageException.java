package io.lockstep.store.log.disk;

/** Bytes on the disk are not those that were written. */
public final class DamageException extends DefectException {
  private static final long serialVersionUID = 1L;

  DamageException(String file, long offset, String what) {
    this(new Damage(file, offset, what));
  }

  DamageException(Damage damage) {
    super(damage);
  }
}
