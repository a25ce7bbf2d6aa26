package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.SystemMessage;
import bftsmart.consensus.messages.ConsensusMessage;

/**
 * A consensus message between replicas. It names the instance itself, not the number that the
 * sender's library uses for it. Java never serialises it.
 */
final class InstanceMessage extends SystemMessage {
  private final int type;
  private final long instance;
  private final int epoch;
  private final byte[] value;

  InstanceMessage(int sender, int type, long instance, int epoch, byte[] value) {
    super(sender);
    this.type = type;
    this.instance = instance;
    this.epoch = epoch;
    this.value = value;
  }

  /** Converts a message that the library sends. */
  static InstanceMessage of(ConsensusMessage message, LibraryNumbers.Era era) {
    if (message.getProof() != null) {
      throw new IllegalArgumentException("proofs are not used in crash mode: " + message);
    }
    return new InstanceMessage(
        message.getSender(),
        message.getType(),
        era.instance(message.getNumber()),
        message.getEpoch(),
        message.getValue());
  }

  /** Converts this message for the library of this replica. */
  ConsensusMessage numbered(LibraryNumbers.Era era) {
    ConsensusMessage message =
        new ConsensusMessage(type, era.number(instance), epoch, getSender(), value);
    message.authenticated = authenticated;
    return message;
  }

  int type() {
    return type;
  }

  long instance() {
    return instance;
  }

  int epoch() {
    return epoch;
  }

  byte[] value() {
    return value;
  }

  @Override
  public String toString() {
    return "message of type " + type + " in instance " + instance + " from " + getSender();
  }
}
