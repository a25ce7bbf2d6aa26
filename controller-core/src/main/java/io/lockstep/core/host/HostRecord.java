package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import java.util.ArrayList;
import java.util.List;

/**
 * What is known of a host.
 *
 * @param location where it is
 * @param ips its IPv4 addresses as numbers, the newest last; at most {@link #MAX_IPS}
 * @param ip6s its IPv6 addresses, the newest last; at most {@link #MAX_IPS}
 * @param sinceMillis when it came to this place, in the writer's milliseconds since 1970
 */
record HostRecord(SwitchPort location, List<Integer> ips, List<Ip6> ip6s, long sinceMillis) {

  /** Addresses of each kind kept of one host; the oldest goes when one more is seen. */
  static final int MAX_IPS = 8;

  HostRecord {
    ips = List.copyOf(ips);
    ip6s = List.copyOf(ip6s);
  }

  /** A host at a place, without addresses. */
  static HostRecord at(SwitchPort location, long nowMillis) {
    return new HostRecord(location, List.of(), List.of(), nowMillis);
  }

  /** Whether it has an address that it can be asked for. */
  boolean hasAddress() {
    return !ips.isEmpty() || !ip6s.isEmpty();
  }

  /**
   * The same host with the addresses of a sighting; this record where they change nothing. The
   * source of an IP header is kept only where no other address is known: what a router forwards
   * must not displace the addresses that the router itself answers to.
   */
  HostRecord with(HostSighting sighting) {
    int ip = sighting.ip();
    Ip6 ip6 = sighting.ip6();
    if (ip != 0 && !ips.contains(ip) && (sighting.own() || ips.isEmpty())) {
      return new HostRecord(location, added(ips, ip), ip6s, sinceMillis);
    }
    if (ip6 != null && !ip6s.contains(ip6) && (sighting.own() || ip6s.isEmpty())) {
      return new HostRecord(location, ips, added(ip6s, ip6), sinceMillis);
    }
    return this;
  }

  private static <T> List<T> added(List<T> known, T address) {
    List<T> more = new ArrayList<>(known);
    if (more.size() == MAX_IPS) {
      more.remove(0);
    }
    more.add(address);
    return more;
  }

  HostRecord movedTo(SwitchPort place, long nowMillis) {
    return new HostRecord(place, ips, ip6s, nowMillis);
  }
}
