package io.lockstep.core.app;

import java.util.List;
import java.util.regex.Pattern;

/** A key of an application's section in the node's file, with the values that it allows. */
public sealed interface ConfigurationKey {

  /** What {@link #name} must match; by convention units come last, as in {@code idleSeconds}. */
  String NAME = "[a-z][A-Za-z0-9-]{0,63}";

  /** The key. */
  String name();

  /** What may stand there, for the operator; completes "give ...". */
  String allowed();

  /** The value where the file says nothing. */
  Object usualValue();

  /** Does what is right for this kind of key, so that a new kind cannot be overlooked. */
  <R> R accept(Visitor<R> visitor);

  /** One method for each kind of key. */
  interface Visitor<R> {
    R whole(Whole key);

    R text(Text key);

    R texts(Texts key);
  }

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

    @Override
    public Object usualValue() {
      return usual;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.whole(this);
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

    @Override
    public Object usualValue() {
      return usual;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.text(this);
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

    @Override
    public Object usualValue() {
      return List.of();
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.texts(this);
    }
  }

  private static void requireName(String name) {
    if (!name.matches(NAME)) {
      throw new IllegalArgumentException("'" + name + "' is no key: it must match " + NAME);
    }
  }
}
