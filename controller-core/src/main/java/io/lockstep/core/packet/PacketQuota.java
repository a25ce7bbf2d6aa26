package io.lockstep.core.packet;

import java.util.HashMap;
import java.util.Map;
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
  private final PortShare others;
  private final Map<Long, PortShare> ports = new HashMap<>();
  private long lastPort;

  /** Of {@link #lastPort}: packets mostly come in runs. */
  private PortShare last;

  private final Map<Long, FullPort> full = new HashMap<>();

  PacketQuota(PacketLimits limits, long nowNanos) {
    this.limits = limits;
    this.whole = new TokenBucket(limits.switchPerSecond(), limits.switchPerSecond(), nowNanos);
    this.others = new PortShare(limits, nowNanos);
    this.last = others;
    this.lastPort = Long.MIN_VALUE;
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
    if (!share(port, nowNanos).data.take(nowNanos)) {
      return Outcome.PORT_EXCEEDED;
    }
    return whole.take(nowNanos) ? Outcome.WITHIN : Outcome.SWITCH_EXCEEDED;
  }

  boolean takeLldp(long port, long nowNanos) {
    return share(port, nowNanos).probes.take(nowNanos);
  }

  /** Whether neither ports nor the switch have a quota of packets. */
  boolean isUnlimited() {
    return limits.portPerSecond() == 0 && limits.switchPerSecond() == 0;
  }

  /** Whether the quota of the whole switch is exhausted. */
  boolean isEmpty(long nowNanos) {
    return whole.isEmpty(nowNanos);
  }

  /** What a port has taken; ports beyond {@link #MAX_PORTS} have one share together. */
  PortShare share(long port, long nowNanos) {
    if (port == lastPort) {
      return last;
    }
    PortShare share = ports.get(port);
    if (share == null && ports.size() < MAX_PORTS) {
      share = new PortShare(limits, nowNanos);
      ports.put(port, share);
    }
    lastPort = port;
    last = share == null ? others : share;
    return last;
  }

  /** Whether it is the share of all ports that have none of their own. */
  boolean isShared(PortShare share) {
    return share == others;
  }
}
