package io.lockstep.core.noun;

import io.lockstep.core.noun.NounAnswer.Reason;
import io.lockstep.core.noun.NounAnswer.Refused;

/** The store did not answer, which is no failure of the application. */
final class NoAnswer extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Refused refused;

  /**
   * No answer.
   *
   * @param why one line for the operator
   */
  NoAnswer(String why, String remedy) {
    super(why);
    refused = new Refused(Reason.STORE, why, remedy);
  }

  Refused refused() {
    return refused;
  }
}
