package io.lockstep.apps.loadbalancer.state;

/** IPv4 addresses as numbers. Pure. */
public final class Ipv4 {
  private static final int BITS = 32;
  private static final String OCTET = "(0|[1-9][0-9]{0,2})";

  /** What an address looks like; parts above 255 are refused by {@link #parse}. */
  public static final String PATTERN = OCTET + "(\\." + OCTET + "){3}";

  /** What an address is, for the operator. */
  public static final String ALLOWED = "an IPv4 address, such as 10.0.0.100";

  private Ipv4() {}

  /**
   * Reads an address in dotted decimal.
   *
   * @throws FieldException where it is none
   */
  public static int parse(String field, String text) {
    if (text.length() <= "255.255.255.255".length() && text.matches(PATTERN)) {
      int ip = 0;
      boolean valid = true;
      for (String part : text.split("\\.", -1)) {
        int octet = Integer.parseInt(part);
        valid &= octet <= 255;
        ip = ip << 8 | octet;
      }
      if (valid) {
        return ip;
      }
    }
    throw new FieldException(field, "no IPv4 address; give " + ALLOWED);
  }

  /** The address in dotted decimal. */
  public static String text(int ip) {
    return (ip >>> 24) + "." + (ip >>> 16 & 0xff) + "." + (ip >>> 8 & 0xff) + "." + (ip & 0xff);
  }

  /** Whether a single host can have it. */
  static boolean isUnicast(int ip) {
    int first = ip >>> 24;
    return first != 0 && first != 127 && first < 224;
  }

  /** Whether both are in the same prefix. */
  static boolean isSamePrefix(int one, int other, int prefixLength) {
    return (one ^ other) >>> (BITS - prefixLength) == 0;
  }
}
