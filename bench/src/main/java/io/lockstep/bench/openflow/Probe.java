package io.lockstep.bench.openflow;

import java.nio.ByteBuffer;

/**
 * A packet-out with a question to a neighbour: a link probe, or an ARP request for one host.
 *
 * @param answer the packet-out as any other one
 * @param frame of the question; nobody else has it
 */
record Probe(Answer answer, byte[] frame) {
  static final int ETHER_TYPE_LLDP = 0x88cc;
  static final int ETHER_TYPE_ARP = 0x0806;

  private static final int TYPE_AT = 12;
  private static final int OPERATION_AT = 20;
  private static final int TARGET_IP_AT = 38;
  private static final int ARP_END = 42;
  private static final int ARP_REQUEST = 1;

  /** Whether it asks which link there is. */
  boolean asksForLink() {
    return ByteBuffer.wrap(frame).getShort(TYPE_AT) == (short) ETHER_TYPE_LLDP;
  }

  /** Whether it is an ARP request for this IPv4 address (RFC 826). */
  boolean asksFor(int ip) {
    ByteBuffer arp = ByteBuffer.wrap(frame);
    return frame.length >= ARP_END
        && arp.getShort(TYPE_AT) == (short) ETHER_TYPE_ARP
        && arp.getShort(OPERATION_AT) == ARP_REQUEST
        && arp.getInt(TARGET_IP_AT) == ip;
  }
}
