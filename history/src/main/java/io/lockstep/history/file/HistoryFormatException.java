package io.lockstep.history.file;

/** A history file that cannot be read; the message names the file, the line and what is wrong. */
public final class HistoryFormatException extends Exception {
  private static final long serialVersionUID = 1L;

  HistoryFormatException(String message) {
    super(message);
  }
}
