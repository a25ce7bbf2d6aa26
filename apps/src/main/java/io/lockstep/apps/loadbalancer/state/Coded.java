package io.lockstep.apps.loadbalancer.state;

/** A constant with a number that stands for it in bytes. The number is part of the format. */
interface Coded {
  int code();

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
