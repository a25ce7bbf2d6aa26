package io.lockstep.dataplane.traffic;

/**
 * A TCP connection that sends as much as it gets through, like iperf: data one way,
 * acknowledgements the other way through the same switch.
 */
public final class TcpFlow implements Flow {
  /** Payload of a full segment with time stamps on Ethernet. */
  public static final int SEGMENT_BYTES = 1448;

  private static final int HEADER_BYTES = 14 + 20 + 32;

  /** Segments that the receiver has room for: 724 KB, the way of 1 Gbit/s in 6 ms. */
  private static final int RECEIVE_WINDOW = 512;

  private final TcpSender sender;
  private final TcpReceiver receiver;

  /**
   * @param data the way of the segments
   * @param acknowledgements the way back
   */
  public TcpFlow(OneWay data, OneWay acknowledgements) {
    this.receiver =
        new TcpReceiver(
            data.time(), news -> acknowledgements.send(HEADER_BYTES, () -> heard(news)));
    this.sender =
        new TcpSender(
            data.time(),
            segment -> data.send(HEADER_BYTES + SEGMENT_BYTES, () -> arrived(segment)),
            RECEIVE_WINDOW);
  }

  private void heard(Acknowledgement news) {
    sender.acknowledged(news);
  }

  private void arrived(long segment) {
    receiver.receive(segment);
  }

  @Override
  public void start() {
    sender.start();
  }

  /** Payload that arrived in order. */
  @Override
  public long deliveredBytes() {
    return receiver.delivered() * SEGMENT_BYTES;
  }

  /** Segments sent more than once. */
  public long retransmissions() {
    return sender.retransmissions();
  }
}
