package io.lockstep.store.typed;

/** An unknown outcome that the caller asked to have thrown: the write may have taken effect. */
public final class OutcomeUnknownException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OutcomeUnknownException(String message) {
    super(message);
  }
}
