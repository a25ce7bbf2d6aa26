package io.lockstep.apps.loadbalancer.state;

import java.util.Locale;

/**
 * A constant of an enum, with a number that stands for it in bytes. The number is part of the
 * format.
 */
public interface Coded {
  /** Its number. */
  int code();

  /** Its name in Java. */
  String name();

  /** Its name as operators write it, such as {@code round-robin}. */
  default String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The constant that operators call so.
   *
   * @throws FieldException where there is none
   */
  static <E extends Coded> E ofWord(E[] constants, String field, String word) {
    for (E constant : constants) {
      if (constant.word().equals(word)) {
        return constant;
      }
    }
    throw new FieldException(field, "'" + word + "' is none of the words that may stand there");
  }

  /**
   * The constant with a number.
   *
   * @throws FieldException where there is none
   */
  static <E extends Coded> E of(E[] constants, String field, int code) {
    for (E constant : constants) {
      if (constant.code() == code) {
        return constant;
      }
    }
    throw new FieldException(field, "unknown number " + code);
  }
}
