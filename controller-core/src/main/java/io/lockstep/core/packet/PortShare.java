package io.lockstep.core.packet;

import org.jspecify.annotations.Nullable;

/** What one port of a switch has taken of its share. Owned by the switch's event loop. */
final class PortShare {
  final TokenBucket data;
  final TokenBucket probes;

  /** Decisions on packets of the port that wait for the store. */
  int waiting;

  /** Counts what was dropped here; null until something was. */
  DroppedPackets.@Nullable OfPort drops;

  PortShare(PacketLimits limits, long nowNanos) {
    this.data = new TokenBucket(limits.portPerSecond(), limits.portPerSecond(), nowNanos);
    this.probes = new TokenBucket(limits.lldpPerSecond(), limits.lldpPerSecond(), nowNanos);
  }
}
