package io.lockstep.store.typed;

/** A conflict that the caller asked to have thrown: nothing was changed. */
public final class ConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ConflictException(WriteResult.Conflict<?> conflict) {
    super(conflict.describe());
  }
}
