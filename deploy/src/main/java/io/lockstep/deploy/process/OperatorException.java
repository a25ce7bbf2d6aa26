package io.lockstep.deploy.process;

/** Something the operator can do something about; the message says what, and the remedy. */
public final class OperatorException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String explanation;
  private final int exitCode;

  /** A sentence and its remedy. */
  public OperatorException(String message, String remedy) {
    this(message + "\n    remedy: " + remedy);
  }

  /** All that is wrong at once, remedies included. */
  public OperatorException(String explanation) {
    this(ExitCode.NEEDS_PERSON, explanation);
  }

  private OperatorException(int exitCode, String explanation) {
    super(explanation);
    this.explanation = explanation;
    this.exitCode = exitCode;
  }

  /**
   * All that is wrong at once, remedies included.
   *
   * @param exitCode of a node or replica that ends so
   */
  public static OperatorException ending(int exitCode, String explanation) {
    return new OperatorException(exitCode, explanation);
  }

  /** What keeps a node or replica from starting. */
  public static OperatorException of(String what, Throwable failure) {
    ExitCause cause = ExitCause.of(failure);
    String remedy = cause.remedy().isEmpty() ? "" : "\n    remedy: " + cause.remedy();
    OperatorException told =
        new OperatorException(cause.code(), what + ": " + cause.cause() + remedy);
    told.initCause(failure);
    return told;
  }

  /** How a node or replica ends that is kept from running so. */
  public int exitCode() {
    return exitCode;
  }

  /** For the operator. */
  public String explanation() {
    return explanation;
  }
}
