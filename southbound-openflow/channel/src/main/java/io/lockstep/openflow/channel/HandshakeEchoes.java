package io.lockstep.openflow.channel;

import io.lockstep.openflow.channel.ConnectionLog.Severity;
import org.projectfloodlight.openflow.protocol.OFEchoRequest;
import org.projectfloodlight.openflow.protocol.OFFactory;

/**
 * Answers echo requests before a handshake is complete, up to a bound in bytes: an unknown peer
 * must not keep the node busy with them. One that sends more is disconnected and counted. A switch
 * asks every few seconds, with a few bytes. Owned by the connection's event loop.
 */
final class HandshakeEchoes {
  /** Of all echo requests of one handshake, with their headers. */
  static final int MAX_BYTES = 64 << 10;

  private static final int HEADER_BYTES = 8;

  private final Peer peer;
  private final ChannelCounters counters;
  private int bytes;

  HandshakeEchoes(Peer peer, ChannelCounters counters) {
    this.peer = peer;
    this.counters = counters;
  }

  /** Answers a request, or closes the connection. */
  void answer(OFFactory factory, OFEchoRequest echo) {
    bytes += HEADER_BYTES + echo.getData().length;
    if (bytes > MAX_BYTES) {
      counters.echoesInHandshake();
      peer.close(
          Severity.WARN,
          "more than " + MAX_BYTES + " bytes of echo requests before its handshake is complete");
    } else {
      peer.write(factory.buildEchoReply().setXid(echo.getXid()).setData(echo.getData()).build());
    }
  }
}
