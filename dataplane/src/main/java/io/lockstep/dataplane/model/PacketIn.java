package io.lockstep.dataplane.model;

/**
 * A packet for the controller (OpenFlow 1.3.5 section 7.4.1).
 *
 * @param bufferId where the switch keeps the packet, or {@code FlowMod.NO_BUFFER}
 * @param totalLength octets of the whole packet; {@code data} may be shorter when it is buffered
 * @param data shared, must not be written to
 */
public record PacketIn(
    int bufferId,
    int totalLength,
    Reason reason,
    int tableId,
    long cookie,
    int inPort,
    long metadata,
    byte[] data) {
  /** Why. */
  public enum Reason {
    NO_MATCH(0),
    ACTION(1),
    INVALID_TTL(2);

    private final int number;

    Reason(int number) {
      this.number = number;
    }

    /** The number on the wire, and of its bit in an asynchronous mask. */
    public int number() {
      return number;
    }
  }
}
