package io.lockstep.deploy.status;

import java.util.regex.Pattern;

/**
 * Makes text safe for a terminal. Names and descriptions come from switches, hosts and users, and a
 * terminal obeys what is among them: it would move the cursor, change its title, or show a line
 * that nobody wrote.
 */
public final class Printable {
  /** Control characters, and those that change the direction or end a line. */
  private static final Pattern OBEYED =
      Pattern.compile("[\\p{Cc}\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]");

  private static final Pattern OBEYED_BUT_LINE_ENDS =
      Pattern.compile("[\\p{Cc}\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069&&[^\\n]]");

  private Printable() {}

  /** The text with a question mark for each character that a terminal would obey. */
  public static String of(String text) {
    return OBEYED.matcher(text).replaceAll("?");
  }

  /** The same for text of several lines. */
  public static String lines(String text) {
    return OBEYED_BUT_LINE_ENDS.matcher(text).replaceAll("?");
  }
}
