package io.lockstep.core.packet;

import io.lockstep.core.southbound.SwitchConnection;

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

  Lane(SwitchConnection connection, long epoch, PacketQuota quota) {
    this.connection = connection;
    this.epoch = epoch;
    this.quota = quota;
  }
}
