package io.lockstep.dataplane.packet;

import java.util.Locale;
import java.util.regex.Pattern;

/** A 48-bit Ethernet address held in the low bits of {@code value}. */
public record Mac(long value) {
  /** The address every station listens to. */
  public static final Mac BROADCAST = new Mac(0xffff_ffff_ffffL);

  private static final Pattern TEXT = Pattern.compile("([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}");

  public Mac {
    if (value >>> 48 != 0) {
      throw new IllegalArgumentException("not a 48-bit address: " + Long.toHexString(value));
    }
  }

  /**
   * Reads six hexadecimal octets joined by colons.
   *
   * @throws IllegalArgumentException when {@code text} is anything else
   */
  public static Mac parse(String text) {
    if (!TEXT.matcher(text).matches()) {
      throw new IllegalArgumentException("not an Ethernet address: " + text);
    }
    return new Mac(Long.parseLong(text.replace(":", ""), 16));
  }

  /** True for group addresses, broadcast included (bit 0 of the first octet). */
  public boolean isGroup() {
    return (value & 0x0100_0000_0000L) != 0;
  }

  @Override
  public String toString() {
    String hex = String.format(Locale.ROOT, "%012x", value);
    StringBuilder text = new StringBuilder(17);
    for (int i = 0; i < 12; i += 2) {
      text.append(i == 0 ? "" : ":").append(hex, i, i + 2);
    }
    return text.toString();
  }
}
