package io.lockstep.apps.loadbalancer.state;

/** A field of the configuration has a value that is not allowed. */
public final class FieldException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String field;
  private final String problem;

  /**
   * The problem of a field.
   *
   * @param problem what is wrong and what is allowed, for the operator
   */
  public FieldException(String field, String problem) {
    super(field + ": " + problem);
    this.field = field;
    this.problem = problem;
  }

  /** The field, as operators write it. */
  public String field() {
    return field;
  }

  /** What is wrong and what is allowed. */
  public String problem() {
    return problem;
  }

  static void requireWithin(String field, long value, long least, long most) {
    if (value < least || value > most) {
      throw new FieldException(
          field, value + " is not allowed; give a whole number from " + least + " to " + most);
    }
  }

  static void requireName(String field, String name) {
    if (!ConfigNames.isName(name)) {
      throw new FieldException(
          field,
          "'"
              + (name.length() > ConfigNames.MOST_CHARS
                  ? name.substring(0, ConfigNames.MOST_CHARS)
                  : name)
              + "' is no name; give 1 to "
              + ConfigNames.MOST_CHARS
              + " of a-z, 0-9, '.' and '-', a letter or digit first");
    }
  }
}
