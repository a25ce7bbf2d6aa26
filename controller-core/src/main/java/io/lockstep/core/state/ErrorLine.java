package io.lockstep.core.state;

/**
 * What foreign code threw, as one printable line: for reports, answers and terminals. Bounded, and
 * made also where the error cannot say what it is. Pure.
 */
public final class ErrorLine {
  /** Characters of a line at most, where the caller says nothing else. */
  public static final int MAX_CHARACTERS = 200;

  /** Of a long error, only its beginning is searched for what to print: so many times the bound. */
  private static final int READ_TIMES = 4;

  private ErrorLine() {}

  /** The line of a text. */
  public static String of(String error) {
    return of(error, MAX_CHARACTERS);
  }

  /**
   * The same.
   *
   * @param maxCharacters of the line; three dots follow where it was cut
   */
  public static String of(String error, int maxCharacters) {
    int readChars = READ_TIMES * maxCharacters;
    String read = error.length() <= readChars ? error : error.substring(0, readChars);
    String line = read.replaceAll("[\\s\\p{C}]+", " ").strip();
    return line.codePointCount(0, line.length()) <= maxCharacters
        ? line
        : line.substring(0, line.offsetByCodePoints(0, maxCharacters)) + "...";
  }

  /** The line of what was thrown: its class where even its message throws. */
  public static String of(Throwable thrown) {
    return of(text(thrown));
  }

  /** What was thrown in its own words, unbounded: its class where even that throws. */
  public static String text(Throwable thrown) {
    try {
      return String.valueOf(thrown.toString());
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      return thrown.getClass().getName();
    }
  }
}
