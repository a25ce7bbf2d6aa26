package io.lockstep.store.typed;

/** A {@link Failure} that the caller asked to have thrown. */
public final class FailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Failure failure;

  FailedException(Failure failure) {
    super(failure.cause() + ": " + failure.message());
    this.failure = failure;
  }

  /** What failed. */
  public Failure failure() {
    return failure;
  }
}
