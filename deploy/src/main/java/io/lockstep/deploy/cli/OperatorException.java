package io.lockstep.deploy.cli;

/** Something the operator can do something about; the message says what, and the remedy. */
public final class OperatorException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String explanation;

  /** A sentence and its remedy. */
  public OperatorException(String message, String remedy) {
    this(message + "\n    remedy: " + remedy);
  }

  /** All that is wrong at once, remedies included. */
  public OperatorException(String explanation) {
    super(explanation);
    this.explanation = explanation;
  }

  /** For the operator. */
  public String explanation() {
    return explanation;
  }
}
