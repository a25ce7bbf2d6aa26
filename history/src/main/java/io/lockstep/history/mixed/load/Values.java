package io.lockstep.history.mixed.load;

import io.lockstep.store.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * Values and how they stand in {@code mixed.jsonl}. One of more than 1 KiB stands there as {@code
 * NAME*LENGTH}: it is the name, its length and a newline, then bytes that follow from these.
 */
final class Values {
  /** Longer ones are not written out. */
  static final int SHORT_BYTES = 1 << 10;

  private static final char TIMES = '*';

  private Values() {}

  /** How a value of this name and length stands in the file. */
  static String text(String name, int length) {
    return length > SHORT_BYTES ? name + TIMES + length : name;
  }

  /** The bytes of a value as it stands in the file. */
  static Bytes bytes(String text) {
    int times = text.indexOf(TIMES);
    return times < 0 ? Bytes.utf8(text) : fill(text, Integer.parseInt(text.substring(times + 1)));
  }

  private static Bytes fill(String text, int length) {
    byte[] bytes = new byte[length];
    byte[] head = (text + "\n").getBytes(StandardCharsets.UTF_8);
    System.arraycopy(head, 0, bytes, 0, head.length);
    long state = text.hashCode() * 0x9e3779b97f4a7c15L | 1;
    for (int i = head.length; i < length; i++) {
      state ^= state << 13;
      state ^= state >>> 7;
      state ^= state << 17;
      bytes[i] = (byte) state;
    }
    return Bytes.wrap(bytes);
  }

  /** How a value that was read stands in the file; one that is not whole as no value that is. */
  static String text(Bytes value) {
    if (value.length() <= SHORT_BYTES) {
      return value.toUtf8();
    }
    String head =
        new String(value.toArray(), 0, SHORT_BYTES, StandardCharsets.UTF_8)
            .lines()
            .findFirst()
            .orElse("");
    boolean whole = head.endsWith("" + TIMES + value.length()) && value.equals(bytes(head));
    return whole ? head : damaged(value);
  }

  private static String damaged(Bytes value) {
    CRC32 sum = new CRC32();
    sum.update(value.toArray());
    return "damaged, " + value.length() + " bytes, CRC " + Long.toHexString(sum.getValue());
  }
}
