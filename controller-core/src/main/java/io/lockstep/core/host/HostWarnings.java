package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.store.logging.LogLimit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what an operator should look at, and logs one line about each port in a while. Any thread.
 */
final class HostWarnings {
  private static final Logger log = LoggerFactory.getLogger(HostWarnings.class);
  private static final long LOG_PERIOD_SECONDS = 60;

  private final HostSurroundings surroundings;
  private final HostCounters counters;
  private final LogLimit fullLog;
  private final LogLimit conflictLog;
  private final LogLimit roomLog;

  HostWarnings(HostSurroundings surroundings, HostCounters counters, LongSupplier nanoTime) {
    this.surroundings = surroundings;
    this.counters = counters;
    this.fullLog = new LogLimit(nanoTime, 1, LOG_PERIOD_SECONDS);
    this.conflictLog = new LogLimit(nanoTime, 1, LOG_PERIOD_SECONDS);
    this.roomLog = new LogLimit(nanoTime, 1, LOG_PERIOD_SECONDS);
  }

  /** A port has as many hosts as it may, and another address came in there. */
  void full(SwitchPort place) {
    counters.count(HostCounters.Event.OVER_PORT_LIMIT);
    String more = fullLog.admit(place.toString());
    if (more != null) {
      log.warn(
          "{} has {} hosts: further addresses there are not tracked{}",
          place,
          HostTracker.MAX_HOSTS_PER_PORT,
          more);
    }
  }

  /** The store had no room for a host, or for an address of one, at a port. */
  void noRoom(SwitchPort place) {
    counters.count(HostCounters.Event.NO_ROOM);
    String more = roomLog.admit(place.toString());
    if (more != null) {
      log.warn(
          "{} or its switch has as many hosts or IP addresses as are recorded (at a port {} and {},"
              + " at a switch {} and {}): further ones are not{}",
          place,
          HostEntities.MAX_HOSTS_AT_PORT,
          HostEntities.MAX_ADDRESSES_AT_PORT,
          HostEntities.MAX_HOSTS_AT_SWITCH,
          HostEntities.MAX_ADDRESSES_AT_SWITCH,
          more);
    }
  }

  /** Reports an address that is new to its host and is another MAC address's already. */
  void look(HostSighting sighting, HostRecord before) {
    IpAddress ip = address(sighting);
    if (ip == null || !sighting.own() || before.with(sighting).equals(before)) {
      return;
    }
    for (HostKey other : surroundings.hostsWith(ip)) {
      if (other.mac() != sighting.host().mac() && claims(other, sighting)) {
        counters.count(HostCounters.Event.IP_CONFLICT);
        String more = conflictLog.admit(sighting.place().toString());
        if (more != null) {
          log.warn(
              "{} at {} says that it has {}, which {} has as well{}",
              sighting.host().hostId(),
              sighting.place(),
              ip,
              other.hostId(),
              more);
        }
        return;
      }
    }
  }

  /** Whether a host claims the address itself: a router sends packets of others. */
  private boolean claims(HostKey key, HostSighting sighting) {
    HostRecord host = surroundings.host(key);
    Ip6 ip6 = sighting.ip6();
    return host != null
        && (ip6 == null ? host.ips().contains(sighting.ip()) : host.ip6s().contains(ip6));
  }

  private static @Nullable IpAddress address(HostSighting sighting) {
    Ip6 ip6 = sighting.ip6();
    if (ip6 != null) {
      return Ip6Address.valueOf(ip6.bytes());
    }
    return sighting.ip() == 0 ? null : Ip4Address.valueOf(sighting.ip());
  }
}
