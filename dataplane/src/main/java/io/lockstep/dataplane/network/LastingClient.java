package io.lockstep.dataplane.network;

import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.network.LastingConnections.State;
import io.lockstep.dataplane.packet.Endpoints;
import io.lockstep.dataplane.packet.Ipv4;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.packet.TcpSegment;
import io.lockstep.dataplane.wire.NetworkClock;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The connections of one client of {@link LastingConnections}. Owned by the host's loop. */
final class LastingClient {
  /** The first port; the others follow. */
  static final int FIRST_PORT = 1_024;

  /** Connections at most: one for each port. */
  static final int MOST = 0x1_0000 - FIRST_PORT;

  private static final long TICK_NANOS = Duration.ofMillis(10).toNanos();
  private static final long AGAIN_NANOS = Duration.ofSeconds(1).toNanos();
  private static final byte[] NOTHING = {};

  private final EmulatedHost host;
  private final NetworkClock clock;
  private final Ipv4 service;
  private final int port;
  private final List<Connection> connections = new ArrayList<>();
  private @Nullable Mac serviceMac;
  private int wanted;
  private double perTick;
  private double due;
  private long talkNanos;
  private int nextToTalk;
  private boolean closed;

  /** One connection. */
  private static final class Connection {
    final int localPort;
    State state = State.OPENING;
    int server = -1;

    /** What the server sends next. */
    long expected;

    /** The number of the last request; the number of octets sent before it is 8 times less one. */
    long request;

    boolean waits;
    long sentNanos;

    Connection(int localPort) {
      this.localPort = localPort;
    }
  }

  LastingClient(EmulatedHost host, NetworkClock clock, Ipv4 service, int port) {
    this.host = host;
    this.clock = clock;
    this.service = service;
    this.port = port;
  }

  void begin() {
    host.takeSegments(this::take);
    host.loop().execute(this::tick);
  }

  void close() {
    closed = true;
  }

  void open(int more, int perSecond) {
    wanted = Math.min(MOST, wanted + more);
    perTick = perSecond * (double) TICK_NANOS / Duration.ofSeconds(1).toNanos();
  }

  void talkEvery(long nanos) {
    talkNanos = nanos;
  }

  /** Sends a request on each open connection that waits for no answer. */
  void talkNow() {
    for (Connection connection : connections) {
      if (connection.state == State.OPEN && !connection.waits) {
        request(connection);
      }
    }
  }

  private void tick() {
    if (closed) {
      return;
    }
    if (serviceMac == null) {
      host.resolve(service, mac -> serviceMac = mac);
    } else {
      due = Math.min(due + perTick, wanted - connections.size());
      for (; due >= 1; due--) {
        Connection connection = new Connection(FIRST_PORT + connections.size());
        connections.add(connection);
        sendSyn(connection);
      }
      repeatAndTalk();
    }
    clock.schedule(host.loop(), serviceMac == null ? AGAIN_NANOS / 5 : TICK_NANOS, this::tick);
  }

  /** Looks at a part of all connections in each turn, so that requests are spread. */
  private void repeatAndTalk() {
    long now = clock.nanos();
    int count = connections.size();
    long everyNanos = talkNanos == 0 ? AGAIN_NANOS : Math.min(talkNanos, AGAIN_NANOS);
    int looks = (int) Math.min(count, 1 + count * TICK_NANOS / everyNanos);
    for (int i = 0; i < looks; i++) {
      nextToTalk = nextToTalk + 1 < count ? nextToTalk + 1 : 0;
      Connection connection = connections.get(nextToTalk);
      boolean late = now - connection.sentNanos > AGAIN_NANOS;
      if (connection.state == State.OPENING && late) {
        sendSyn(connection);
      } else if (connection.state == State.OPEN && connection.waits && late) {
        sendRequest(connection);
      } else if (connection.state == State.OPEN && !connection.waits && talkNanos > 0) {
        request(connection);
      }
    }
  }

  private void sendSyn(Connection connection) {
    connection.sentNanos = clock.nanos();
    send(connection, firstSequence(connection), 0, TcpSegment.SYN, NOTHING);
  }

  /** Another one for each port, and the same for a repeated SYN. */
  private static long firstSequence(Connection connection) {
    return (long) connection.localPort << Short.SIZE;
  }

  private void request(Connection connection) {
    connection.request++;
    connection.waits = true;
    sendRequest(connection);
  }

  private void sendRequest(Connection connection) {
    connection.sentNanos = clock.nanos();
    byte[] number = ByteBuffer.allocate(Long.BYTES).putLong(connection.request).array();
    send(
        connection,
        firstSequence(connection) + 1 + (connection.request - 1) * Long.BYTES,
        connection.expected,
        TcpSegment.PSH | TcpSegment.ACK,
        number);
  }

  private void send(Connection connection, long sequence, long ack, int flags, byte[] payload) {
    Mac mac = serviceMac;
    if (mac != null) {
      Endpoints ends = new Endpoints(host.mac(), host.address(), mac, service);
      host.sendFrame(
          new TcpSegment(
                  ends,
                  connection.localPort,
                  port,
                  sequence & 0xffff_ffffL,
                  ack & 0xffff_ffffL,
                  flags,
                  payload)
              .encode());
    }
  }

  private boolean take(TcpSegment segment) {
    int index = segment.targetPort() - FIRST_PORT;
    if (segment.sourcePort() != port
        || !segment.ends().source().equals(service)
        || index < 0
        || index >= connections.size()) {
      return false;
    }
    Connection connection = connections.get(index);
    if (segment.has(TcpSegment.RST)) {
      connection.state = connection.state == State.OPEN ? State.BROKEN : connection.state;
    } else if (segment.has(TcpSegment.SYN)) {
      opened(connection, segment);
    } else if (connection.state == State.OPEN && segment.payload().length > 0) {
      answered(connection, segment);
    }
    return true;
  }

  private void opened(Connection connection, TcpSegment segment) {
    if (connection.state == State.OPENING) {
      connection.state = State.OPEN;
      connection.server = (int) (segment.sequence() >>> LastingServer.NUMBER_SHIFT);
      connection.expected = segment.sequence() + 1;
      send(connection, firstSequence(connection) + 1, connection.expected, TcpSegment.ACK, NOTHING);
    }
  }

  private static void answered(Connection connection, TcpSegment segment) {
    byte[] number = ByteBuffer.allocate(Long.BYTES).putLong(connection.request).array();
    if (segment.sequence() == (connection.expected & 0xffff_ffffL)
        && Arrays.equals(segment.payload(), number)) {
      connection.waits = false;
      connection.expected += segment.payload().length;
    }
  }

  /** What is known of each. */
  List<LastingConnections.Kept> kept() {
    List<LastingConnections.Kept> all = new ArrayList<>(connections.size());
    for (Connection one : connections) {
      all.add(
          new LastingConnections.Kept(
              host.address(), one.localPort, one.server, one.state, one.waits));
    }
    return all;
  }
}
