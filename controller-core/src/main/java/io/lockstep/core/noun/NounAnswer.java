package io.lockstep.core.noun;

import io.lockstep.core.app.Rows;

/** What became of a question to a noun. */
public sealed interface NounAnswer {

  /**
   * What the noun shows.
   *
   * @param isComplete false where rows were left out, or a table was too long to be read whole
   */
  record Shown(Rows rows, boolean isComplete) implements NounAnswer {}

  /**
   * There is no answer.
   *
   * @param error one line for the operator
   * @param remedy what to do
   */
  record Refused(Reason reason, String error, String remedy) implements NounAnswer {}

  /** Why there is no answer. */
  enum Reason {
    /** No such application or noun. */
    UNKNOWN,
    /** The arguments are wrong. */
    WRONG_ARGUMENTS,
    /** Another question is being answered, or this application has not ended an earlier one. */
    BUSY,
    /** The store did not answer, or rejected the read. */
    STORE,
    /** The noun threw or broke its contract; counted as a failure of the application. */
    FAILED,
    /** The noun did not answer in time; counted as a failure of the application. */
    LATE
  }
}
