package io.lockstep.apps.learningswitch;

import io.lockstep.store.Bytes;

/**
 * The table {@code apps.learning-switch}: dpid (8 bytes) and address (6) to port (4). An entry with
 * the dpid alone as its key counts the switch's addresses. All numbers big-endian. Only components
 * that are replayed from logs of earlier releases use the table; {@link LearnedTable} took its
 * place.
 */
final class SwitchTable {

  static final String NAME = "apps.learning-switch";

  /**
   * Addresses of one switch at most, as many as a common hardware switch holds. A flood of invented
   * addresses fills this and no more; what does not fit is flooded. Below the store's limit of 10
   * 000 writes in one call, so that a switch can be forgotten in one.
   */
  static final int MAX_ADDRESSES = 8_192;

  static final int DPID_BYTES = 8;
  static final int ADDRESS_BYTES = 6;
  static final int PORT_BYTES = 4;

  private SwitchTable() {}

  /** The key of an address at a switch: both are copied from an argument or frame. */
  static Bytes key(byte[] dpidFrom, int dpidAt, byte[] addressFrom, int addressAt) {
    byte[] key = new byte[DPID_BYTES + ADDRESS_BYTES];
    System.arraycopy(dpidFrom, dpidAt, key, 0, DPID_BYTES);
    System.arraycopy(addressFrom, addressAt, key, DPID_BYTES, ADDRESS_BYTES);
    return Bytes.wrap(key);
  }

  static boolean isGroup(byte[] from, int at) {
    return (from[at] & 1) != 0;
  }

  static boolean isZero(byte[] from, int at) {
    for (int i = at; i < at + ADDRESS_BYTES; i++) {
      if (from[i] != 0) {
        return false;
      }
    }
    return true;
  }

  static void putLong(byte[] to, int at, long value) {
    for (int i = 0; i < Long.BYTES; i++) {
      to[at + i] = (byte) (value >>> (56 - 8 * i));
    }
  }

  static void putInt(byte[] to, int at, long value) {
    for (int i = 0; i < Integer.BYTES; i++) {
      to[at + i] = (byte) (value >>> (24 - 8 * i));
    }
  }

  static long unsignedInt(byte[] from, int at) {
    long value = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      value = value << 8 | (from[at + i] & 0xff);
    }
    return value;
  }
}
