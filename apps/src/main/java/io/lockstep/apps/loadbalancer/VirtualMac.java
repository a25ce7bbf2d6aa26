package io.lockstep.apps.loadbalancer;

import org.onlab.packet.MacAddress;

/**
 * The MAC addresses of virtual IPs: {@code 02:4c} and the IP, locally administered. All nodes
 * compute the same, and no switch or node learns them ({@link LoadBalancer#claimsSource}).
 */
final class VirtualMac {
  private static final int PREFIX = 0x024c;
  private static final int IP_BITS = 32;
  private static final int ADDRESS_BYTES = 6;

  private VirtualMac() {}

  static long of(int ip) {
    return (long) PREFIX << IP_BITS | Integer.toUnsignedLong(ip);
  }

  static MacAddress address(int ip) {
    return MacAddress.valueOf(of(ip));
  }

  /** Whether a frame may be sent to one. */
  static boolean isDestinationOf(byte[] frame) {
    return isAt(frame, 0);
  }

  /** Whether a frame may be sent from one. */
  static boolean isSourceOf(byte[] frame) {
    return isAt(frame, ADDRESS_BYTES);
  }

  private static boolean isAt(byte[] frame, int at) {
    return frame[at] == (byte) (PREFIX >>> 8) && frame[at + 1] == (byte) PREFIX;
  }

  /** Whether it may be one. */
  static boolean is(long mac) {
    return mac >>> IP_BITS == PREFIX;
  }

  /** The IP that an address stands for. */
  static int ip(long mac) {
    return (int) mac;
  }
}
