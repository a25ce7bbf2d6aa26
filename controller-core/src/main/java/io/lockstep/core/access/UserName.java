package io.lockstep.core.access;

import java.util.regex.Pattern;

/** Names of users. */
public final class UserName {
  /** 1 to 64 letters, digits, and {@code _ . -} inside; it is an id of a resource, too. */
  public static final Pattern PATTERN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

  /** Completes "give ...". */
  public static final String ALLOWED = "1 to 64 letters, digits, '_', '.' or '-'";

  private UserName() {}

  static boolean isValid(String text) {
    return PATTERN.matcher(text).matches();
  }

  static void require(String text) {
    if (!isValid(text)) {
      throw new IllegalArgumentException("user '" + text + "' must be " + ALLOWED);
    }
  }
}
