package io.lockstep.core.app;

import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * An argument of a noun. The node checks it before the noun sees it.
 *
 * @param name matches {@link ConfigurationKey#NAME}
 * @param allowed what may stand there, for the operator; completes "give ..."
 * @param check whether a text may stand there; pure
 * @param isRequired whether it may not be left out
 */
public record NounArgument(
    String name, String allowed, Predicate<String> check, boolean isRequired) {

  public NounArgument {
    if (!name.matches(ConfigurationKey.NAME)) {
      throw new IllegalArgumentException(
          "'" + name + "' is no name of an argument: it must match " + ConfigurationKey.NAME);
    }
  }

  /**
   * A required text.
   *
   * @param pattern what the whole text must match
   * @param allowed completes "give ..."
   */
  public static NounArgument text(String name, Pattern pattern, String allowed) {
    return new NounArgument(name, allowed, text -> pattern.matcher(text).matches(), true);
  }

  /** A required whole number within bounds. */
  public static NounArgument whole(String name, int least, int most) {
    return new NounArgument(
        name,
        "a whole number from " + least + " to " + most,
        text -> text.matches("-?[0-9]{1,10}") && isWithin(Long.parseLong(text), least, most),
        true);
  }

  private static boolean isWithin(long number, int least, int most) {
    return number >= least && number <= most;
  }

  /** The same, which may be left out. */
  public NounArgument optional() {
    return new NounArgument(name, allowed, check, false);
  }
}
