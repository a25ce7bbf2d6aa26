package io.lockstep.openflow.channel.translate;

import org.onosproject.net.PortNumber;

/**
 * Port numbers (OpenFlow 1.3.5 section 7.2.1) as onos-api's objects. The numbers that switches
 * really use are cached, so the packet path allocates none.
 */
public final class PortNumbers {
  private static final int CACHED = 1024;
  private static final PortNumber[] CACHE = new PortNumber[CACHED];
  private static final PortNumber[] RESERVED = {
    PortNumber.IN_PORT,
    PortNumber.TABLE,
    PortNumber.NORMAL,
    PortNumber.FLOOD,
    PortNumber.ALL,
    PortNumber.CONTROLLER,
    PortNumber.LOCAL,
    PortNumber.ANY
  };

  /** The lowest reserved number, {@code OFPP_IN_PORT}. */
  private static final int FIRST_RESERVED = 0xffff_fff8;

  private static final int MAX_SHORT = 0xffff;

  /** The highest number of a port in OpenFlow 1.0, below {@code OFPP_MAX}. */
  private static final int MAX_10 = 0xfeff;

  static {
    for (int number = 0; number < CACHED; number++) {
      CACHE[number] = PortNumber.portNumber(number);
    }
  }

  private PortNumbers() {}

  /** From the 32 bits on the wire. */
  public static PortNumber fromWire(int number) {
    if (number >= 0 && number < CACHED) {
      return CACHE[number];
    }
    if (number < 0 && number >= FIRST_RESERVED) {
      return RESERVED[number - FIRST_RESERVED];
    }
    return PortNumber.portNumber(Integer.toUnsignedLong(number));
  }

  /** What {@link #fromWire} gives, as the number alone. */
  static long number(int wire) {
    return wire < 0 && wire >= FIRST_RESERVED ? wire : Integer.toUnsignedLong(wire);
  }

  /** What {@link #fromWire10} gives, as the number alone. */
  static long number10(int wire) {
    return number(wire >= (FIRST_RESERVED & MAX_SHORT) ? wire | ~MAX_SHORT : wire);
  }

  /** The 32 bits on the wire; onos-api's reserved numbers end in OpenFlow's. */
  public static int toWire(PortNumber port) {
    return (int) port.toLong();
  }

  /** Whether a port has a number in OpenFlow 1.0 (section 5.2.1), where they have 16 bits. */
  public static boolean in10(PortNumber port) {
    long number = Integer.toUnsignedLong(toWire(port));
    return number <= MAX_10 || number >= Integer.toUnsignedLong(FIRST_RESERVED);
  }

  /**
   * The number of a port for OpenFlow 1.0, in 32 bits: reserved ones end in the 16 bits of the
   * wire.
   *
   * @throws IllegalArgumentException where it has none
   */
  public static int toWire10(PortNumber port) {
    if (!in10(port)) {
      throw new IllegalArgumentException(
          "port " + port + " has no number in OpenFlow 1.0, which ends at " + MAX_10);
    }
    return toWire(port);
  }

  /** From the 16 bits on the wire of OpenFlow 1.0. */
  public static PortNumber fromWire10(int number) {
    return fromWire(number >= (FIRST_RESERVED & MAX_SHORT) ? number | ~MAX_SHORT : number);
  }
}
