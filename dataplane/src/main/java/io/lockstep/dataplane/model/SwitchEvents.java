package io.lockstep.dataplane.model;

import io.lockstep.dataplane.flowtable.FlowRemoved;

/** What a switch model emits, synchronously and in order, while one of its methods runs. */
public interface SwitchEvents {
  /**
   * A frame leaves by a physical port.
   *
   * @param frame shared, must not be written to
   */
  void transmit(int port, byte[] frame);

  /** A packet goes to the controllers. */
  void packetIn(PacketIn packetIn);

  /** An entry that asked for it is gone. */
  void flowRemoved(FlowRemoved removed);

  /** A port came or changed; the port shows its new state (OpenFlow 1.3.5 section 7.4.3). */
  void portChanged(SwitchPort port, PortReason reason);

  /** A frame was dropped; {@code why} is one of a few constants. */
  void dropped(int inPort, byte[] frame, Drop why);

  /** {@link SwitchModel#nextDeadlineNanos()} may be earlier than it was. */
  void deadlineChanged();

  /** Whether the switch can be connected to controllers; it can when it is new. */
  void channelAllowed(boolean allowed);

  /** What happened to a port. */
  enum PortReason {
    ADDED(0),
    MODIFIED(2);

    private final int number;

    PortReason(int number) {
      this.number = number;
    }

    /** The number on the wire, and of its bit in an asynchronous mask. */
    public int number() {
      return number;
    }
  }

  /** Where a packet's way ended without being forwarded. */
  enum Drop {
    /** The ingress port is down or does not receive. */
    PORT_CLOSED,
    /** No flow entry, not even a table-miss entry. */
    NO_ENTRY,
    /** An entry matched and neither it nor the action set sent the packet anywhere. */
    NO_OUTPUT,
    /** The time to live ran out. */
    INVALID_TTL,
    /** The processor forwards no more packets a second. */
    PROCESSOR_BUSY,
    /** The entry forwards nothing, by a fault of the switch. */
    DEAD_ENTRY,
    /** OpenFlow is disabled, or hangs. */
    OPENFLOW_OFF
  }
}
