package io.lockstep.openflow.channel.access;

import io.lockstep.core.cluster.DpidRange;
import java.net.InetAddress;
import java.util.Arrays;

/**
 * Switches that may connect without TLS, and from where.
 *
 * @param switches their datapath ids
 * @param network an address of the network that they connect from
 * @param prefixBits how many of its first bits count: 32 or 128 for one address
 */
public record PlainRule(DpidRange switches, InetAddress network, int prefixBits) {
  public PlainRule {
    if (prefixBits < 0 || prefixBits > 8 * network.getAddress().length) {
      throw new IllegalArgumentException(network.getHostAddress() + "/" + prefixBits);
    }
  }

  /** Whether an address is of the network. */
  boolean contains(InetAddress address) {
    byte[] own = network.getAddress();
    byte[] other = address.getAddress();
    if (own.length != other.length) {
      return false;
    }
    int whole = prefixBits / 8;
    if (!Arrays.equals(own, 0, whole, other, 0, whole)) {
      return false;
    }
    int rest = prefixBits % 8;
    return rest == 0 || ((own[whole] ^ other[whole]) & (0xff << (8 - rest)) & 0xff) == 0;
  }
}
