package io.lockstep.dataplane.network;

import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.packet.TcpSegment;
import java.util.HashSet;
import java.util.Set;

/**
 * One server of {@link LastingConnections}: accepts each connection, tells its number in its first
 * sequence number, and answers each request with the same bytes. What belongs to no connection is
 * reset. Owned by the host's loop.
 */
final class LastingServer {
  /** The server's number stands above these bits of its first sequence number. */
  static final int NUMBER_SHIFT = 24;

  private static final byte[] NOTHING = {};

  private final EmulatedHost host;
  private final int number;
  private final int port;
  private final Set<Long> known = new HashSet<>();
  private boolean crashed;

  LastingServer(EmulatedHost host, int number, int port) {
    this.host = host;
    this.number = number;
    this.port = port;
  }

  void begin() {
    host.takeSegments(this::take);
  }

  /** From now on it is silent, as a machine without power is. */
  void crash() {
    host.loop()
        .execute(
            () -> {
              crashed = true;
              known.clear();
            });
  }

  private boolean take(TcpSegment segment) {
    if (segment.targetPort() != port) {
      return false;
    }
    if (!crashed) {
      answer(segment);
    }
    return true;
  }

  private void answer(TcpSegment segment) {
    long client = segment.ends().source().unsigned() << Short.SIZE | segment.sourcePort();
    if (segment.has(TcpSegment.RST)) {
      known.remove(client);
    } else if (segment.flags() == TcpSegment.SYN) {
      known.add(client);
      send(segment, (long) number << NUMBER_SHIFT, 1, TcpSegment.SYN, NOTHING);
    } else if (!known.contains(client)) {
      host.sendFrame(segment.reset().encode());
    } else if (segment.payload().length > 0) {
      send(
          segment,
          segment.acknowledgement(),
          segment.payload().length,
          TcpSegment.PSH,
          segment.payload());
    }
  }

  private void send(TcpSegment to, long sequence, int taken, int flags, byte[] payload) {
    host.sendFrame(
        new TcpSegment(
                to.ends().reversed(),
                /* sourcePort= */ to.targetPort(),
                /* targetPort= */ to.sourcePort(),
                sequence,
                to.sequence() + taken & 0xffff_ffffL,
                flags | TcpSegment.ACK,
                payload)
            .encode());
  }
}
