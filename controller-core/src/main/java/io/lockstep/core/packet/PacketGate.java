package io.lockstep.core.packet;

import io.lockstep.core.packet.DroppedPackets.Reason;
import io.lockstep.core.packet.PacketCounters.PacketResult;
import io.lockstep.core.southbound.PacketKind;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a switch, its ports and kinds of packets may ask of the node. {@link #refuses} sees a packet
 * before anything is made of it: it takes nothing from the shares and drops what would be dropped
 * later. {@code admits} takes. Each drop is counted here. Called on the switch's event loop.
 */
final class PacketGate {
  private final AskTurns turns;
  private final PacketCounters counters;
  private final LongSupplier nanoTime;

  PacketGate(AskTurns turns, PacketCounters counters, LongSupplier nanoTime) {
    this.turns = turns;
    this.counters = counters;
    this.nanoTime = nanoTime;
  }

  /** Whether there is no share left for a packet; it is counted and must not come in then. */
  boolean refuses(Lane lane, long port, PacketKind kind) {
    PortShare share = lane.quota.share(port, nanoTime.getAsLong());
    Reason why = whyNot(lane, share, kind);
    if (why == null) {
      return false;
    }
    counters.count(PacketResult.RECEIVED);
    drop(lane, port, share, why);
    return true;
  }

  private @Nullable Reason whyNot(Lane lane, PortShare share, PacketKind kind) {
    if (kind == PacketKind.LINK_PROBE) {
      return share.probes.isEmpty(nanoTime.getAsLong()) ? Reason.PROBE_QUOTA : null;
    }
    if (!lane.quota.isUnlimited()) {
      long now = nanoTime.getAsLong();
      if (share.data.isEmpty(now)) {
        return Reason.PORT_QUOTA;
      }
      if (lane.quota.isEmpty(now)) {
        return Reason.SWITCH_QUOTA;
      }
    }
    return whyNotWaiting(lane, share, kind == PacketKind.GROUP, 0);
  }

  /** Why no further decision on a packet may wait for the store; null where it may. */
  private @Nullable Reason whyNotWaiting(
      Lane lane, PortShare share, boolean group, int packetBytes) {
    if (!lane.places.hasRoom(share, group)) {
      return Reason.SWITCH_WAITS;
    }
    return turns.isFull(lane.line, packetBytes) ? Reason.NODE_WAITS : null;
  }

  /** Takes a link probe from the share of its port; false where there is none left. */
  boolean admitsProbe(Lane lane, FrameView view) {
    long port = view.inPort().toLong();
    boolean admitted = lane.quota.takeLldp(port, nanoTime.getAsLong());
    if (!admitted) {
      drop(lane, view, Reason.PROBE_QUOTA);
    }
    return admitted;
  }

  /** Takes any other packet from the shares of its port and switch. */
  boolean admitsData(Lane lane, FrameView view) {
    long port = view.inPort().toLong();
    switch (lane.quota.takeData(port, view.source(), nanoTime.getAsLong())) {
      case PORT_EXCEEDED -> drop(lane, view, Reason.PORT_QUOTA);
      case PORT_FULL -> drop(lane, view, Reason.PORT_FULL);
      case SWITCH_EXCEEDED -> drop(lane, view, Reason.SWITCH_QUOTA);
      case WITHIN -> {
        return true;
      }
    }
    return false;
  }

  /** Takes a place for a decision that waits for the store; false where there is none left. */
  boolean takesPlace(Lane lane, FrameView view) {
    PortShare share = lane.quota.share(view.inPort().toLong(), nanoTime.getAsLong());
    Reason why = whyNotWaiting(lane, share, view.isToGroup(), view.frame().length);
    if (why != null) {
      drop(lane, view, why);
      return false;
    }
    lane.places.take(share, view.isToGroup());
    return true;
  }

  /** The decision does not wait any more. */
  void leavesPlace(Lane lane, FrameView view) {
    PortShare share = lane.quota.share(view.inPort().toLong(), nanoTime.getAsLong());
    lane.places.leave(share, view.isToGroup());
  }

  /** Counts a packet that was dropped. */
  void drop(Lane lane, FrameView view, Reason reason) {
    long port = view.inPort().toLong();
    drop(lane, port, lane.quota.share(port, nanoTime.getAsLong()), reason);
  }

  private void drop(Lane lane, long port, PortShare share, Reason reason) {
    DroppedPackets.OfPort drops = share.drops;
    if (drops == null || lane.quota.isShared(share)) {
      drops = lane.drops.ofPort(port);
      share.drops = drops;
    }
    drops.count(reason);
    PacketResult result = resultOf(reason);
    if (result != null) {
      counters.count(result);
    }
  }

  /** Null where the caller counts it. */
  private static @Nullable PacketResult resultOf(Reason reason) {
    return switch (reason) {
      case PORT_QUOTA, PROBE_QUOTA, PORT_FULL -> PacketResult.OVER_PORT_QUOTA;
      case SWITCH_QUOTA -> PacketResult.OVER_SWITCH_QUOTA;
      case SWITCH_WAITS, NODE_WAITS -> PacketResult.TOO_MANY_ASKS;
      case STORE, UNREAD -> null;
    };
  }
}
