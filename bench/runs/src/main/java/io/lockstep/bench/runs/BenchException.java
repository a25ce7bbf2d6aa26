package io.lockstep.bench.runs;

/** A run that could not be done; the message is a sentence for whoever started it. */
public final class BenchException extends Exception {
  private static final long serialVersionUID = 1L;

  public BenchException(String message) {
    super(message);
  }

  public BenchException(String message, Throwable cause) {
    super(message, cause);
  }
}
