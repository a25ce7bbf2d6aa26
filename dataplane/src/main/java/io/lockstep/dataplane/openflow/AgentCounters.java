package io.lockstep.dataplane.openflow;

import java.util.concurrent.atomic.LongAdder;

/** What an agent has done so far. Written by the switch's loop, read by anybody. */
public final class AgentCounters {
  final LongAdder connections = new LongAdder();
  final LongAdder packetInsSent = new LongAdder();
  final LongAdder packetInsDropped = new LongAdder();
  final LongAdder packetOuts = new LongAdder();
  final LongAdder flowMods = new LongAdder();
  final LongAdder errorsSent = new LongAdder();

  AgentCounters() {}

  /** HELLO exchanges completed. */
  public long connections() {
    return connections.sum();
  }

  /** Packet-in messages, one per controller that got it. */
  public long packetInsSent() {
    return packetInsSent.sum();
  }

  /**
   * Packet-ins that no controller got: none connected or wanting it, or its connection was full.
   */
  public long packetInsDropped() {
    return packetInsDropped.sum();
  }

  public long packetOuts() {
    return packetOuts.sum();
  }

  public long flowMods() {
    return flowMods.sum();
  }

  public long errorsSent() {
    return errorsSent.sum();
  }
}
