package io.lockstep.core.packet;

import io.lockstep.core.southbound.SwitchConnection;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What the node holds for one switch while it masters it, under one epoch. Owned by the switch's
 * event loop.
 */
final class Lane {
  /** Port-down events a second in the long run, and as many in one burst. */
  static final int PORTS_DOWN = 512;

  final SwitchConnection connection;
  final long epoch;
  final PacketQuota quota;

  /** The VLAN in which the switch carries frames without a tag; 0 for none. */
  final int untaggedVlan;

  /** Decisions on packets that wait for the store. */
  final WaitingPlaces places;

  /** Decisions on events that wait for the store. */
  int eventAsks;

  /** Where its questions wait for their turn. */
  final AskTurns.Line line;

  final DroppedPackets.OfSwitch drops;

  /** Questions that the store refused and that are asked again soon, with one timer for all. */
  final ArrayDeque<Runnable> retries = new ArrayDeque<>();

  /** Limits the events for single ports that went down. */
  final TokenBucket portsDown;

  /** Limits what the node serves by rules that the switch does not have; null before the first. */
  @Nullable TokenBucket inNode;

  /** Whether ports over that limit went down, and the event for all of them is due. */
  boolean morePortsDown;

  /** What applications wait for at this switch. */
  final LaneTimers timers = new LaneTimers();

  /** Whether an alarm is due that looks at them. */
  boolean timersWatched;

  /** Whether the event loop has yet to hear of changed paths; any thread. */
  final AtomicBoolean pathsChanged = new AtomicBoolean();

  Lane(
      SwitchConnection connection,
      long epoch,
      PacketLimits limits,
      AskTurns.Line line,
      DroppedPackets.OfSwitch drops,
      int untaggedVlan,
      long nowNanos) {
    this.connection = connection;
    this.epoch = epoch;
    this.quota = new PacketQuota(limits, nowNanos);
    this.places = new WaitingPlaces(limits.asksPerSwitch());
    this.line = line;
    this.drops = drops;
    this.untaggedVlan = untaggedVlan;
    this.portsDown = new TokenBucket(PORTS_DOWN, PORTS_DOWN, nowNanos);
  }
}
