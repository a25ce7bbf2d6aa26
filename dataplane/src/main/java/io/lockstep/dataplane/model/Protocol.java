package io.lockstep.dataplane.model;

/** The version of OpenFlow a switch speaks. */
public enum Protocol {
  /** One table, which sends what matches nothing to the controller; no roles. */
  OPENFLOW_10("1.0"),
  OPENFLOW_13("1.3");

  private final String number;

  Protocol(String number) {
    this.number = number;
  }

  /** For example {@code 1.3}. */
  public String number() {
    return number;
  }

  /**
   * The version with a number.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static Protocol of(String number) {
    for (Protocol each : values()) {
      if (each.number.equals(number)) {
        return each;
      }
    }
    throw new IllegalArgumentException("no version " + number);
  }
}
