package io.lockstep.core.cluster;

import java.util.regex.Pattern;

/** Checks the names of nodes, clusters and domains. */
final class NameSyntax {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

  private NameSyntax() {}

  /** Whether the text can be a name: 1 to 64 letters, digits, and {@code _ . -} inside. */
  static boolean valid(String text) {
    return NAME.matcher(text).matches();
  }

  static String require(String text, String what) {
    if (!valid(text)) {
      throw new IllegalArgumentException(
          what + " '" + text + "' must be 1 to 64 letters, digits, '_', '.' or '-'");
    }
    return text;
  }
}
