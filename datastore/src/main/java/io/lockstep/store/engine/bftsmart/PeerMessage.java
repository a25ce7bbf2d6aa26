package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.SystemMessage;

/**
 * Envelope that brings our own notes to the replica's loop, in order with the library's messages.
 * Never serialised by Java.
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
