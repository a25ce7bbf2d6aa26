package io.lockstep.deploy.onos;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.PortNumber;

/**
 * Numbers and names of ports as ONOS reads and writes them. A reserved port is its name, or its
 * negative number, such as -3 for the controller. Pure.
 */
final class PortTexts {
  /** The highest number of a port of OpenFlow 1.3 that is not reserved. */
  private static final long MAX_PORT = 0xffff_ff00L;

  /** Where packets come from. */
  static final List<PortNumber> SOURCES = List.of(PortNumber.LOCAL, PortNumber.CONTROLLER);

  /** Where a rule may send packets. */
  static final List<PortNumber> TARGETS =
      List.of(
          PortNumber.IN_PORT,
          PortNumber.NORMAL,
          PortNumber.FLOOD,
          PortNumber.ALL,
          PortNumber.CONTROLLER,
          PortNumber.LOCAL);

  private PortTexts() {}

  static PortNumber read(JsonFields fields, String name, List<PortNumber> reserved) {
    PortNumber port = find(fields.numberOrText(name), reserved);
    if (port == null) {
      throw fields.wrong(
          name,
          "is no port: a number of 1 to "
              + MAX_PORT
              + ", or "
              + reserved.stream().map(PortNumber::toString).collect(Collectors.joining(", ")));
    }
    return port;
  }

  private static @Nullable PortNumber find(Object value, List<PortNumber> reserved) {
    if (value instanceof Long number && number >= 1 && number <= MAX_PORT) {
      return PortNumber.portNumber(number);
    }
    for (PortNumber one : reserved) {
      if (value.equals(one.toLong()) || value.equals(one.toString())) {
        return one;
      }
    }
    return null;
  }

  /** A port in a path or a query; null where the text is none. */
  static @Nullable PortNumber parse(String text) {
    Long number = JsonFields.number(text);
    return find(number == null ? byName(text) : number, TARGETS);
  }

  private static Object byName(String text) {
    return text.equals("local") ? PortNumber.LOCAL.toString() : text;
  }

  /** As ONOS names a port of a device. */
  static String shown(PortNumber port) {
    return port.equals(PortNumber.LOCAL) ? "local" : port.toStringWithoutName();
  }
}
