package io.lockstep.keys;

/** Files of keys that cannot be used. */
public final class KeysException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String remedy;

  /**
   * What is wrong.
   *
   * @param message one sentence that names the file
   * @param remedy what a person can do
   */
  public KeysException(String message, String remedy) {
    super(message);
    this.remedy = remedy;
  }

  /** What a person can do. */
  public String remedy() {
    return remedy;
  }

  /** One sentence that names the file. */
  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
