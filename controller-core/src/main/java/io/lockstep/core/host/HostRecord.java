package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import java.util.ArrayList;
import java.util.List;

/**
 * What is known of a host.
 *
 * @param location where it is
 * @param ips its IPv4 addresses as numbers, the newest last; at most {@link #MAX_IPS}
 * @param sinceMillis when it came to this place, in the writer's milliseconds since 1970
 */
record HostRecord(SwitchPort location, List<Integer> ips, long sinceMillis) {

  /** Addresses kept of one host; the oldest goes when one more is seen. */
  static final int MAX_IPS = 8;

  HostRecord {
    ips = List.copyOf(ips);
  }

  /** The same host with one address more; 0 is none. */
  HostRecord withIp(int ip) {
    if (ip == 0 || ips.contains(ip)) {
      return this;
    }
    List<Integer> more = new ArrayList<>(ips);
    if (more.size() == MAX_IPS) {
      more.remove(0);
    }
    more.add(ip);
    return new HostRecord(location, more, sinceMillis);
  }

  HostRecord movedTo(SwitchPort place, long nowMillis) {
    return new HostRecord(place, ips, nowMillis);
  }
}
