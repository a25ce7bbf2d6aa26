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

  /** The 32 bits on the wire; onos-api's reserved numbers end in OpenFlow's. */
  public static int toWire(PortNumber port) {
    return (int) port.toLong();
  }
}
