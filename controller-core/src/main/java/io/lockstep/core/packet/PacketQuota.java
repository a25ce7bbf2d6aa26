package io.lockstep.core.packet;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
    SWITCH_EXCEEDED
  }

  Outcome takeData(long port, long nowNanos) {
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
