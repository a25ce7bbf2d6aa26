package io.lockstep.store.log.disk;

/** Reports bytes on the disk that are not those that were written. */
public final class DamageException extends DefectException {
  private static final long serialVersionUID = 1L;

  DamageException(String file, long offset, String what) {
    this(new Damage(file, offset, what));
  }

  DamageException(Damage damage) {
    super(damage);
  }
}
