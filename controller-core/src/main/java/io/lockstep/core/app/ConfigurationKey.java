package io.lockstep.core.app;

import java.util.regex.Pattern;

/** A key of an application's section in the node's file, with the values that it allows. */
public sealed interface ConfigurationKey {

  /** What {@link #name} must match; by convention units come last, as in {@code idleSeconds}. */
  String NAME = "[a-z][A-Za-z0-9-]{0,63}";

  /** The key. */
  String name();

  /** What may stand there, for the operator; completes "give ...". */
  String allowed();

  /**
   * A whole number.
   *
   * @param usual the value where the file says nothing
   * @param unit such as {@code seconds}; may be empty
   */
  record Whole(String name, int usual, int least, int most, String unit)
      implements ConfigurationKey {
    public Whole {
      requireName(name);
      if (usual < least || usual > most) {
        throw new IllegalArgumentException(
            name + ": " + usual + " is not within " + least + " to " + most);
      }
    }

    @Override
    public String allowed() {
      return "a whole number from "
          + least
          + " to "
          + most
          + (unit.isEmpty() ? "" : " (" + unit + ")");
    }
  }

  /**
   * One text.
   *
   * @param usual the value where the file says nothing; need not match
   * @param pattern what a whole value must match
   * @param allowed completes "give ..."
   */
  record Text(String name, String usual, Pattern pattern, String allowed)
      implements ConfigurationKey {
    public Text {
      requireName(name);
    }
  }

  /**
   * A list of texts, each once at most; empty where the file says nothing.
   *
   * @param pattern what each whole value must match
   * @param allowed completes "give ..." for one of them
   */
  record Texts(String name, Pattern pattern, String allowed) implements ConfigurationKey {
    /** Values at most. */
    public static final int MOST = 10_000;

    public Texts {
      requireName(name);
    }
  }

  private static void requireName(String name) {
    if (!name.matches(NAME)) {
      throw new IllegalArgumentException("'" + name + "' is no key: it must match " + NAME);
    }
  }
}
