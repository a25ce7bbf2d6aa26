package io.lockstep.core.resource;

import java.util.List;
import java.util.Map;

/** Input of a client, as a message may show it: printable and short. Pure. */
public final class Shown {
  private static final int MAX_CHARS = 64;

  private Shown() {}

  /** A text without quotes. */
  public static String text(String text) {
    String begin = text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS) + "...";
    return begin.replaceAll("\\p{C}", "?");
  }

  /** A value: a text within quotes, and of what is long only what it is. */
  static String value(Object value) {
    if (value instanceof List<?> list) {
      return "a list of " + list.size();
    }
    if (value instanceof Map) {
      return "an object";
    }
    return value instanceof String text ? "'" + text(text) + "'" : text(String.valueOf(value));
  }
}
