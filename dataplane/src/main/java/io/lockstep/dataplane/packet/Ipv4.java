package io.lockstep.dataplane.packet;

import java.util.regex.Pattern;

/** A 32-bit IPv4 address; {@code value} holds the four octets, first octet in the top byte. */
public record Ipv4(int value) {
  private static final Pattern TEXT = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

  /**
   * Reads dotted decimal.
   *
   * @throws IllegalArgumentException when {@code text} is not four octets of 0 to 255
   */
  public static Ipv4 parse(String text) {
    if (!TEXT.matcher(text).matches()) {
      throw new IllegalArgumentException("not an IPv4 address: " + text);
    }
    int value = 0;
    int octet = 0;
    for (int i = 0; i <= text.length(); i++) {
      if (i == text.length() || text.charAt(i) == '.') {
        if (octet > 255) {
          throw new IllegalArgumentException("not an IPv4 address: " + text);
        }
        value = value << 8 | octet;
        octet = 0;
      } else {
        octet = octet * 10 + (text.charAt(i) - '0');
      }
    }
    return new Ipv4(value);
  }

  /** The address as an unsigned number of 32 bits. */
  public long unsigned() {
    return value & 0xffff_ffffL;
  }

  @Override
  public String toString() {
    return (value >>> 24)
        + "."
        + (value >>> 16 & 255)
        + "."
        + (value >>> 8 & 255)
        + "."
        + (value & 255);
  }
}
