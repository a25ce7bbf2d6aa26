package io.lockstep.core.app;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A field of a resource that an operator writes. The node checks what stands there before the
 * application sees it. Immutable.
 */
public final class ResourceField {
  /** What a name must match; by convention units come last, as in {@code idleSeconds}. */
  public static final String NAME = "[a-z][A-Za-z0-9]{0,31}";

  /** Characters of a text at most. */
  public static final int MAX_CHARS = 1_000;

  /** Texts of a list at most. */
  public static final int MAX_TEXTS = 65_536;

  private final String name;
  private final Kind kind;
  private final @Nullable Pattern pattern;
  private final long least;
  private final long most;
  private final String allowed;
  private final boolean isRequired;
  private final @Nullable Object usual;

  /** What JSON has there. */
  public enum Kind {
    /** A string. */
    TEXT,
    /** A whole number of 64 bits. */
    WHOLE,
    /** {@code true} or {@code false}. */
    FLAG,
    /** A list of strings, each once at most. */
    TEXTS
  }

  private ResourceField(
      String name,
      Kind kind,
      @Nullable Pattern pattern,
      long least,
      long most,
      String allowed,
      boolean isRequired,
      @Nullable Object usual) {
    if (!name.matches(NAME)) {
      throw new IllegalArgumentException("'" + name + "' is no field: it must match " + NAME);
    }
    this.name = name;
    this.kind = kind;
    this.pattern = pattern;
    this.least = least;
    this.most = most;
    this.allowed = allowed;
    this.isRequired = isRequired;
    this.usual = usual;
  }

  /**
   * A required text.
   *
   * @param pattern what the whole text must match
   * @param allowed completes "give ..."
   */
  public static ResourceField text(String name, Pattern pattern, String allowed) {
    return new ResourceField(name, Kind.TEXT, pattern, 0, MAX_CHARS, allowed, true, null);
  }

  /**
   * A required whole number within bounds.
   *
   * @param unit such as {@code seconds}; may be empty
   */
  public static ResourceField whole(String name, long least, long most, String unit) {
    String allowed =
        "a whole number from " + least + " to " + most + (unit.isEmpty() ? "" : " (" + unit + ")");
    return new ResourceField(name, Kind.WHOLE, null, least, most, allowed, true, null);
  }

  /** A required {@code true} or {@code false}. */
  public static ResourceField flag(String name) {
    return new ResourceField(name, Kind.FLAG, null, 0, 0, "true or false", true, null);
  }

  /**
   * A required list of texts, each once at most.
   *
   * @param pattern what each whole text must match
   * @param least so many at least
   * @param most so many at most, up to {@link #MAX_TEXTS}
   * @param allowed completes "give ..." for the list
   */
  public static ResourceField texts(
      String name, Pattern pattern, int least, int most, String allowed) {
    if (most > MAX_TEXTS) {
      throw new IllegalArgumentException(name + ": more than " + MAX_TEXTS + " texts");
    }
    return new ResourceField(name, Kind.TEXTS, pattern, least, most, allowed, true, null);
  }

  /** The same, which may be left out. */
  public ResourceField optional() {
    return new ResourceField(name, kind, pattern, least, most, allowed, false, null);
  }

  /**
   * The same, which may be left out and then has this value.
   *
   * @param value a {@link String}, {@link Long}, {@link Boolean} or list of strings
   * @throws IllegalArgumentException where the field does not allow it
   */
  public ResourceField usual(Object value) {
    Object checked = checked(value);
    if (checked == null) {
      throw new IllegalArgumentException(name + ": give " + allowed + ", not " + value);
    }
    return new ResourceField(name, kind, pattern, least, most, allowed, false, checked);
  }

  /** The key in JSON and on the command line. */
  public String name() {
    return name;
  }

  /** What JSON has there. */
  public Kind kind() {
    return kind;
  }

  /** What may stand there, for the operator; completes "give ...". */
  public String allowed() {
    return allowed;
  }

  /** Whether it may not be left out. */
  public boolean isRequired() {
    return isRequired;
  }

  /** The value where it is left out; null where it has none then. */
  public @Nullable Object usualValue() {
    return usual;
  }

  /**
   * The value as {@link ResourceValues} keeps it; null where the field does not allow it.
   *
   * @param value as JSON has it: {@link String}, {@link Integer}, {@link Long}, {@link Boolean},
   *     {@link List}, or anything else, which no field allows
   */
  public @Nullable Object checked(@Nullable Object value) {
    return switch (kind) {
      case TEXT -> value instanceof String text && isText(text) ? text : null;
      case WHOLE -> {
        if (!(value instanceof Integer || value instanceof Long)) {
          yield null;
        }
        long number = ((Number) value).longValue();
        yield number >= least && number <= most ? number : null;
      }
      case FLAG -> value instanceof Boolean ? value : null;
      case TEXTS -> value instanceof List<?> list ? checkedTexts(list) : null;
    };
  }

  /** Whether a list of texts may have this element; always false where the field is no list. */
  public boolean allowsInList(@Nullable Object element) {
    return kind == Kind.TEXTS && element instanceof String text && isText(text);
  }

  private @Nullable Object checkedTexts(List<?> list) {
    if (list.size() < least || list.size() > most) {
      return null;
    }
    List<String> texts = new ArrayList<>(list.size());
    for (Object each : list) {
      if (!allowsInList(each)) {
        return null;
      }
      texts.add((String) each);
    }
    return new HashSet<>(texts).size() == texts.size() ? List.copyOf(texts) : null;
  }

  private boolean isText(String text) {
    return text.length() <= MAX_CHARS && pattern != null && pattern.matcher(text).matches();
  }
}
