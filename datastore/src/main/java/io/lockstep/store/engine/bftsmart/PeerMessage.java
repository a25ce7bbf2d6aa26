package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.SystemMessage;

/**
 * Carries one of our own notes to the replica's loop, in order with the library's messages. Java
 * never serialises it.
 */
final class PeerMessage extends SystemMessage {
  private final PeerNote note;

  PeerMessage(int sender, PeerNote note) {
    super(sender);
    this.note = note;
  }

  PeerNote note() {
    return note;
  }

  @Override
  public String toString() {
    return note + " from " + getSender();
  }
}
