package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a host. It can be asked for the addresses that it claims itself, by ARP or
 * neighbour discovery. The source of an IP header may be a host behind a router, so the router need
 * not answer to it: it is only shown.
 *
 * @param location where it is
 * @param ips the IPv4 addresses that it claims as numbers, the newest last; at most {@link
 *     #MAX_IPS}
 * @param ip6s the IPv6 addresses that it claims, the newest last; at most {@link #MAX_IPS}
 * @param shownIp the source of its IPv4 headers where it claims no IPv4 address, else 0
 * @param shownIp6 the source of its IPv6 headers where it claims no IPv6 address, else null
 * @param sinceMillis when it came to this place, in the writer's milliseconds since 1970
 */
record HostRecord(
    SwitchPort location,
    List<Integer> ips,
    List<Ip6> ip6s,
    int shownIp,
    @Nullable Ip6 shownIp6,
    long sinceMillis) {

  /** Addresses of each kind kept of one host; the oldest goes when one more is seen. */
  static final int MAX_IPS = 8;

  HostRecord {
    ips = List.copyOf(ips);
    ip6s = List.copyOf(ip6s);
  }

  /** A host at a place, without addresses. */
  static HostRecord at(SwitchPort location, long nowMillis) {
    return new HostRecord(location, List.of(), List.of(), 0, null, nowMillis);
  }

  /** Whether it has an address that it can be asked for. */
  boolean hasAddress() {
    return !ips.isEmpty() || !ip6s.isEmpty();
  }

  /** Whether it has an address that it claims or that its packets show. */
  boolean hasAnyAddress() {
    return hasAddress() || shownIp != 0 || shownIp6 != null;
  }

  /** The same host with the addresses of a sighting; this record where they change nothing. */
  HostRecord with(HostSighting sighting) {
    int ip = sighting.ip();
    Ip6 ip6 = sighting.ip6();
    if (ip != 0 && sighting.own() && !ips.contains(ip)) {
      return new HostRecord(location, added(ips, ip), ip6s, 0, shownIp6, sinceMillis);
    }
    if (ip != 0 && !sighting.own() && ips.isEmpty() && shownIp == 0) {
      return new HostRecord(location, ips, ip6s, ip, shownIp6, sinceMillis);
    }
    if (ip6 != null && sighting.own() && !ip6s.contains(ip6)) {
      return new HostRecord(location, ips, added(ip6s, ip6), shownIp, null, sinceMillis);
    }
    if (ip6 != null && !sighting.own() && ip6s.isEmpty() && shownIp6 == null) {
      return new HostRecord(location, ips, ip6s, shownIp, ip6, sinceMillis);
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
    return new HostRecord(place, ips, ip6s, shownIp, shownIp6, nowMillis);
  }
}
