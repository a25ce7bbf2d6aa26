package io.lockstep.core.flow.text;

/** A text that is no match or no action. Its message is one line for the operator. */
public final class FlowTextException extends Exception {
  private static final long serialVersionUID = 1;

  private final String remedy;

  FlowTextException(String error, String remedy) {
    super(error, null, false, false);
    this.remedy = remedy;
  }

  /** What is wrong. */
  public String error() {
    return String.valueOf(getMessage());
  }

  /** What to write instead. */
  public String remedy() {
    return remedy;
  }
}
