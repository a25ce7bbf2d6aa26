package io.lockstep.core.packet;

import io.lockstep.core.southbound.SwitchConnection;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What the node holds for one switch while it masters it, under one epoch. Owned by the switch's
 * event loop.
 */
final class Lane {
  final SwitchConnection connection;
  final long epoch;
  final PacketQuota quota;

  /** Decisions that wait for the store. */
  int asks;

  /** Questions that the store refused and that are asked again soon, with one timer for all. */
  final ArrayDeque<Runnable> retries = new ArrayDeque<>();

  /** Ports that went down and are told one by one. */
  final TokenBucket portsDown;

  /** Whether more of them went down, of which one event for all is yet to tell. Event loop. */
  boolean morePortsDown;

  /** Whether the event loop has yet to hear of changed paths; any thread. */
  final AtomicBoolean pathsChanged = new AtomicBoolean();

  /** Ports a second in the long run that are told one by one; as many again at once. */
  static final int PORTS_DOWN = 512;

  Lane(SwitchConnection connection, long epoch, PacketQuota quota, long nowNanos) {
    this.connection = connection;
    this.epoch = epoch;
    this.quota = quota;
    this.portsDown = new TokenBucket(PORTS_DOWN, PORTS_DOWN, nowNanos);
  }
}
