package io.lockstep.bench.openflow;

/**
 * The switches that are played and the hosts behind them. Host {@code h} of a switch sits at port
 * {@code 1 + h % ports}; its MAC address is {@code 02:ss:ss:ss:hh:hh} with {@code s} the low 24
 * bits of the datapath id.
 *
 * @param switches how many, 1 to 1024
 * @param ports of each switch, 2 to 48
 * @param hosts of each switch, {@code ports} to 4096
 * @param firstDpid datapath id of the first switch; the others follow
 */
public record LoadPlan(int switches, int ports, int hosts, long firstDpid) {
  private static final long LOCAL_UNICAST = 0x02L << 40;

  /** Stands for the virtual IP of a switch where a host is named as a destination. */
  static final int VIRTUAL = 4_095;

  /** The hosts that stand behind the virtual IP; each is at a port of its own. */
  public static final int MEMBERS = 3;

  /** The first two octets of a virtual MAC, before the IP: docs/adr/0030. */
  private static final long VIRTUAL_MAC = 0x024cL << 32;

  public LoadPlan {
    if (switches < 1 || switches > 1024) {
      throw new IllegalArgumentException("1 to 1024 switches, not " + switches);
    }
    if (ports < 2 || ports > 48) {
      throw new IllegalArgumentException("2 to 48 ports, not " + ports);
    }
    if (hosts < ports || hosts > 4096) {
      throw new IllegalArgumentException(
          "at least one host per port and at most 4096 hosts, not " + hosts);
    }
  }

  /** Datapath id of switch {@code index}, from 0. */
  public long dpid(int index) {
    return firstDpid + index;
  }

  /** The host's MAC address, in the low 48 bits. */
  public long mac(int index, int host) {
    if (host == VIRTUAL) {
      return VIRTUAL_MAC | Integer.toUnsignedLong(ip(index, VIRTUAL));
    }
    return LOCAL_UNICAST | ((dpid(index) & 0xff_ffff) << 16) | host;
  }

  /** The host of switch {@code index} with this MAC address, or -1. */
  int host(int index, long mac) {
    int host = (int) (mac & 0xffff);
    return host < hosts && mac(index, host) == mac ? host : -1;
  }

  /** The host's IPv4 address: 10.s.s.h with 10 bits for the switch and 12 for the host. */
  public int ip(int index, int host) {
    return (10 << 24) | ((index & 0x3ff) << 12) | (host & 0xfff);
  }

  /** The IPv4 address of the virtual IP of a switch, in the subnet of its hosts. */
  public int virtualIp(int index) {
    return ip(index, VIRTUAL);
  }

  /** The port the host sits at. */
  public int port(int host) {
    return 1 + host % ports;
  }
}
