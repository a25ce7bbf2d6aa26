package io.lockstep.dataplane.openflow;

/**
 * Which notices a connection wants, per role (OpenFlow 1.3.5 section 7.3.10). Bit n of a mask
 * stands for reason n of the message. Immutable.
 *
 * @param packetInMaster for master and equal
 * @param packetInSlave for slave, and so on
 */
record AsyncMasks(
    long packetInMaster,
    long packetInSlave,
    long portStatusMaster,
    long portStatusSlave,
    long flowRemovedMaster,
    long flowRemovedSlave) {
  /** What a new connection gets: a slave hears of ports only, nobody of invalid TTLs. */
  static final AsyncMasks INITIAL = new AsyncMasks(0b011, 0, 0b111, 0b111, 0b1111, 0);

  boolean wantsPacketIn(ControllerRole role, int reason) {
    return has(role == ControllerRole.SLAVE ? packetInSlave : packetInMaster, reason);
  }

  boolean wantsPortStatus(ControllerRole role, int reason) {
    return has(role == ControllerRole.SLAVE ? portStatusSlave : portStatusMaster, reason);
  }

  boolean wantsFlowRemoved(ControllerRole role, int reason) {
    return has(role == ControllerRole.SLAVE ? flowRemovedSlave : flowRemovedMaster, reason);
  }

  private static boolean has(long mask, int reason) {
    return (mask & 1L << reason) != 0;
  }
}
