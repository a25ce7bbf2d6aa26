package io.lockstep.bench.network;

/** A phase that did not end; the message names what is missing. */
final class PhaseException extends Exception {
  private static final long serialVersionUID = 1;

  PhaseException(String message) {
    super(message);
  }

  PhaseException(String message, PhaseException cause) {
    super(message, cause);
  }
}
