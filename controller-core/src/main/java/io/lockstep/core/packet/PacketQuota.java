package io.lockstep.core.packet;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.MacAddress;

/**
 * The quota of one switch: a bucket per port, and one for the whole switch that only packets within
 * their port's quota draw from, so that one noisy port cannot starve the others up to that point.
 * Owned by the switch's event loop.
 */
final class PacketQuota {

  /** Ports with a bucket of their own; a switch that invents more shares one among the rest. */
  private static final int MAX_PORTS = 4_096;

  private final PacketLimits limits;
  private final TokenBucket whole;
  private final TokenBucket othersData;
  private final TokenBucket othersLldp;
  private final Map<Long, PortBuckets> ports = new HashMap<>();
  private final Map<Long, FullPort> full = new HashMap<>();

  PacketQuota(PacketLimits limits, long nowNanos) {
    this.limits = limits;
    this.whole = new TokenBucket(limits.switchPerSecond(), limits.switchPerSecond(), nowNanos);
    this.othersData = new TokenBucket(limits.portPerSecond(), limits.portPerSecond(), nowNanos);
    this.othersLldp = new TokenBucket(limits.lldpPerSecond(), limits.lldpPerSecond(), nowNanos);
  }

  /** Which quota a packet is over, if any. */
  enum Outcome {
    WITHIN,
    PORT_EXCEEDED,
    PORT_FULL,
    SWITCH_EXCEEDED
  }

  /** An application has no room for this address at its port. */
  void full(long port, MacAddress source, long nowNanos) {
    FullPort known = full.get(port);
    if (known != null) {
      known.reported(source, nowNanos);
    } else if (full.size() < MAX_PORTS && limits.portPerSecond() > 0) {
      full.put(port, new FullPort(nowNanos));
    }
  }

  /** An application decided on a packet of this address, and has room for it. */
  void hasRoom(long port, MacAddress source) {
    FullPort known = full.get(port);
    if (known != null) {
      known.hasRoomFor(source);
    }
  }

  private boolean isOverFullPort(long port, MacAddress source, long nowNanos) {
    FullPort known = full.isEmpty() ? null : full.get(port);
    if (known != null && known.isOver(nowNanos)) {
      full.remove(port);
      return false;
    }
    return known != null && !known.admits(source, nowNanos);
  }

  Outcome takeData(long port, MacAddress source, long nowNanos) {
    if (isOverFullPort(port, source, nowNanos)) {
      return Outcome.PORT_FULL;
    }
    PortBuckets buckets = buckets(port, nowNanos);
    if (!(buckets == null ? othersData : buckets.data).take(nowNanos)) {
      return Outcome.PORT_EXCEEDED;
    }
    return whole.take(nowNanos) ? Outcome.WITHIN : Outcome.SWITCH_EXCEEDED;
  }

  boolean takeLldp(long port, long nowNanos) {
    PortBuckets buckets = buckets(port, nowNanos);
    return (buckets == null ? othersLldp : buckets.lldp).take(nowNanos);
  }

  private @Nullable PortBuckets buckets(long port, long nowNanos) {
    PortBuckets buckets = ports.get(port);
    if (buckets == null && ports.size() < MAX_PORTS) {
      buckets =
          new PortBuckets(
              new TokenBucket(limits.portPerSecond(), limits.portPerSecond(), nowNanos),
              new TokenBucket(limits.lldpPerSecond(), limits.lldpPerSecond(), nowNanos));
      ports.put(port, buckets);
    }
    return buckets;
  }

  private record PortBuckets(TokenBucket data, TokenBucket lldp) {}
}
