package io.lockstep.dataplane.traffic;

/**
 * One direction of a conversation: the sender's port of the switch, the headers of its packets, and
 * the sender's own link.
 */
public final class OneWay {
  private final SwitchUnderTest target;
  private final int fromPort;
  private final byte[] frame;
  private final int toPort;
  private final Link uplink;

  /**
   * @param frame headers of all packets of the direction
   * @param toPort where packets have to come out to arrive
   * @param uplink the sender's; shared by all that it sends
   */
  public OneWay(SwitchUnderTest target, int fromPort, byte[] frame, int toPort, Link uplink) {
    this.target = target;
    this.fromPort = fromPort;
    this.frame = frame.clone();
    this.toPort = toPort;
    this.uplink = uplink;
  }

  /**
   * Sends a packet.
   *
   * @param bytes of the whole frame
   * @param arrived called when and if it arrives
   */
  void send(int bytes, Runnable arrived) {
    VirtualTime time = target.time();
    long atSwitchNanos = uplink.send(bytes, time.nowNanos());
    if (atSwitchNanos == SwitchUnderTest.LOST) {
      return;
    }
    time.at(
        atSwitchNanos,
        () ->
            target.receive(
                fromPort,
                frame,
                bytes,
                port -> {
                  if (port == toPort) {
                    arrived.run();
                  }
                }));
  }

  VirtualTime time() {
    return target.time();
  }
}
