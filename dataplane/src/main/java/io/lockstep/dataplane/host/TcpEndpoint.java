package io.lockstep.dataplane.host;

import io.lockstep.dataplane.host.ExchangeResult.Outcome;
import io.lockstep.dataplane.packet.Endpoints;
import io.lockstep.dataplane.packet.Ipv4;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.packet.TcpSegment;
import io.lockstep.dataplane.wire.NetworkClock;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A host's TCP: servers that answer one request per connection, and clients that ask. At most
 * {@link #MAX_CONNECTIONS} connections. Owned by the host's loop.
 */
final class TcpEndpoint {
  static final int MAX_CONNECTIONS = 4096;

  private static final int FIRST_CLIENT_PORT = 32768;
  private static final long KEPT_NANOS = Duration.ofSeconds(2).toNanos();
  private static final long SERVER_NANOS = Duration.ofSeconds(30).toNanos();
  private static final byte[] NOTHING = {};

  private final Mac mac;
  private final Ipv4 address;
  private final Neighbours neighbours;
  private final EventExecutor loop;
  private final NetworkClock clock;
  private final Consumer<byte[]> out;
  private final Map<Integer, UnaryOperator<byte[]>> servers = new HashMap<>();
  private final Map<Key, TcpConnection> connections = new HashMap<>();
  private int nextPort;

  TcpEndpoint(
      Mac mac,
      Ipv4 address,
      Neighbours neighbours,
      EventExecutor loop,
      NetworkClock clock,
      Consumer<byte[]> out) {
    this.mac = mac;
    this.address = address;
    this.neighbours = neighbours;
    this.loop = loop;
    this.clock = clock;
    this.out = out;
  }

  void serve(int port, UnaryOperator<byte[]> answer) {
    servers.put(port, answer);
  }

  /** Connects, sends the request, and gives the whole response to {@code done}, once. */
  void exchange(
      Ipv4 server, int port, byte[] request, long timeoutNanos, Consumer<ExchangeResult> done) {
    Client client = new Client(clock.nanos(), done);
    if (connections.size() >= MAX_CONNECTIONS) {
      client.finish(Outcome.TIMED_OUT, NOTHING, 0);
      return;
    }
    int localPort = FIRST_CLIENT_PORT + nextPort;
    nextPort = (nextPort + 1) % (65536 - FIRST_CLIENT_PORT);
    client.timer = clock.schedule(loop, timeoutNanos, client::timeOut);
    neighbours.resolve(
        server,
        serverMac -> {
          if (client.finished) {
            return;
          }
          Endpoints ends = new Endpoints(mac, address, serverMac, server);
          client.key = new Key(server, localPort, port);
          client.connection = open(client.key, ends, client);
          client.connection.connect(request);
        });
  }

  private TcpConnection open(Key key, Endpoints ends, TcpConnection.Listener listener) {
    TcpConnection connection =
        new TcpConnection(
            ends, key.localPort, key.remotePort, clock.nanos() >>> 12, loop, clock, out, listener);
    connections.put(key, connection);
    return connection;
  }

  private void forget(Key key, TcpConnection connection) {
    connection.stop();
    connections.remove(key, connection);
  }

  void receive(TcpSegment segment) {
    Key key = new Key(segment.ends().source(), segment.targetPort(), segment.sourcePort());
    TcpConnection connection = connections.get(key);
    if (connection == null && segment.flags() == TcpSegment.SYN) {
      connection = accept(key, segment);
    }
    if (connection != null) {
      connection.receive(segment);
    } else if (!segment.has(TcpSegment.RST)) {
      out.accept(segment.reset().encode());
    }
  }

  private @Nullable TcpConnection accept(Key key, TcpSegment syn) {
    UnaryOperator<byte[]> answer = servers.get(key.localPort);
    if (answer == null || connections.size() >= MAX_CONNECTIONS) {
      return null;
    }
    TcpConnection connection = open(key, syn.ends().reversed(), new Server(key, answer));
    clock.schedule(loop, SERVER_NANOS, () -> forget(key, connection));
    return connection;
  }

  private record Key(Ipv4 remote, int localPort, int remotePort) {}

  private final class Server implements TcpConnection.Listener {
    private final Key key;
    private final UnaryOperator<byte[]> answer;

    Server(Key key, UnaryOperator<byte[]> answer) {
      this.key = key;
      this.answer = answer;
    }

    @Override
    public void received(TcpConnection connection, byte[] data) {
      connection.sendAllOf(answer.apply(data));
    }

    @Override
    public void closed(TcpConnection connection, byte[] data) {
      clock.schedule(loop, KEPT_NANOS, () -> forget(key, connection));
    }

    @Override
    public void refused() {
      connections.remove(key);
    }
  }

  private final class Client implements TcpConnection.Listener {
    private final long sinceNanos;
    private final Consumer<ExchangeResult> done;
    private NetworkClock.@Nullable Timer timer;
    private @Nullable Key key;
    private @Nullable TcpConnection connection;
    private boolean finished;

    Client(long sinceNanos, Consumer<ExchangeResult> done) {
      this.sinceNanos = sinceNanos;
      this.done = done;
    }

    @Override
    public void received(TcpConnection from, byte[] data) {
      // Complete only when both directions are acknowledged.
    }

    @Override
    public void closed(TcpConnection from, byte[] data) {
      finish(Outcome.COMPLETED, data, from.retransmissions());
      Key closedKey = key;
      if (closedKey != null) {
        // Kept for a while to acknowledge a repeated FIN (TIME-WAIT).
        clock.schedule(loop, KEPT_NANOS, () -> forget(closedKey, from));
      }
    }

    @Override
    public void refused() {
      close(Outcome.REFUSED);
    }

    void timeOut() {
      if (!finished) {
        close(Outcome.TIMED_OUT);
      }
    }

    private void close(Outcome outcome) {
      int retransmissions = 0;
      if (connection != null && key != null) {
        retransmissions = connection.retransmissions();
        forget(key, connection);
      }
      finish(outcome, NOTHING, retransmissions);
    }

    void finish(Outcome outcome, byte[] response, int retransmissions) {
      if (finished) {
        return;
      }
      finished = true;
      if (timer != null) {
        timer.cancel();
      }
      done.accept(
          new ExchangeResult(outcome, response, clock.nanos() - sinceNanos, retransmissions));
    }
  }
}
