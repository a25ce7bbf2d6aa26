package io.lockstep.dataplane.packet;

/** The link-layer addresses in neighbour messages of ICMPv6 (RFC 4861 section 4.6.1). */
final class NeighbourOptions {
  /** Behind the beginning of the message. */
  static final int AT = 24;

  private static final int UNIT_BYTES = 8;
  private static final int SOURCE = 1;
  private static final int TARGET = 2;

  private NeighbourOptions() {}

  /**
   * Where the option begins that carries a field.
   *
   * @param messageAt where the ICMPv6 message begins
   * @param field IPV6_ND_SLL or IPV6_ND_TLL
   * @return -1 where there is none of 6 octets, or the options are damaged before it
   */
  static int find(byte[] frame, int messageAt, OxmField field) {
    int wanted = field == OxmField.IPV6_ND_SLL ? SOURCE : TARGET;
    int at = messageAt + AT;
    while (frame.length >= at + UNIT_BYTES) {
      int bytes = UNIT_BYTES * Octets.u8(frame, at + 1);
      if (bytes == 0 || frame.length < at + bytes) {
        return -1;
      }
      if (Octets.u8(frame, at) == wanted && bytes == UNIT_BYTES) {
        return at;
      }
      at += bytes;
    }
    return -1;
  }
}
