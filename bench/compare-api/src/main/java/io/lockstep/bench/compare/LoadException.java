package io.lockstep.bench.compare;

import org.jspecify.annotations.Nullable;

/** The store under load failed; the message is a sentence for whoever started the run. */
public final class LoadException extends Exception {
  private static final long serialVersionUID = 1L;

  LoadException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
