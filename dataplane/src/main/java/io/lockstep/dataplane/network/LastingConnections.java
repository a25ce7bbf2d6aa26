package io.lockstep.dataplane.network;

import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.packet.Ipv4;
import io.lockstep.dataplane.wire.NetworkClock;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * TCP connections that clients open to one address and keep, as many as there are ports. Each sends
 * a numbered request now and then, which its server answers. So it is seen which server a
 * connection has, and whether it goes on: a packet that reaches another server is reset (RFC 9293
 * section 3.10.7), as is one of a connection that nobody knows. Both ends send one segment at a
 * time, and repeat it each second. Thread-safe; not to be called from a loop of the network.
 */
public final class LastingConnections implements AutoCloseable {

  /** How far a connection has come. */
  public enum State {
    /** Its SYN is not answered yet. */
    OPENING,
    /** A server has accepted it, and it was not reset. */
    OPEN,
    /** It was open, and was reset. */
    BROKEN
  }

  /**
   * A connection as its client sees it.
   *
   * @param server its number, from 0; -1 where none has answered
   * @param waits whether a request is not answered yet
   */
  public record Kept(Ipv4 client, int clientPort, int server, State state, boolean waits) {}

  private final List<LastingClient> clients = new ArrayList<>();
  private final List<LastingServer> servers = new ArrayList<>();
  private final List<EmulatedHost> hosts;

  private LastingConnections(List<EmulatedHost> hosts) {
    this.hosts = List.copyOf(hosts);
  }

  /**
   * Prepares servers and clients; nothing is opened before {@link #open}.
   *
   * @param service where clients connect
   * @param serverPort where servers listen; they are numbered in their order, 128 at most
   */
  static LastingConnections start(
      NetworkClock clock,
      Ipv4 service,
      int servicePort,
      List<EmulatedHost> clients,
      List<EmulatedHost> servers,
      int serverPort) {
    LastingConnections all = new LastingConnections(clients);
    for (EmulatedHost server : servers) {
      LastingServer one = new LastingServer(server, all.servers.size(), serverPort);
      all.servers.add(one);
      one.begin();
    }
    for (EmulatedHost client : clients) {
      LastingClient one = new LastingClient(client, clock, service, servicePort);
      all.clients.add(one);
      one.begin();
    }
    return all;
  }

  /**
   * Opens further connections.
   *
   * @param perClient how many more each client opens
   * @param perSecond at most, of each client
   */
  public void open(int perClient, int perSecond) {
    each(client -> client.open(perClient, perSecond));
  }

  /** From now on each open connection sends a request so often; zero ends it. */
  public void talkEvery(Duration interval) {
    each(client -> client.talkEvery(interval.toNanos()));
  }

  /** Sends a request on each open connection that waits for no answer. */
  public void talkNow() {
    each(LastingClient::talkNow);
  }

  private interface Step {
    void run(LastingClient client);
  }

  private void each(Step step) {
    for (int i = 0; i < clients.size(); i++) {
      LastingClient client = clients.get(i);
      hosts.get(i).loop().execute(() -> step.run(client));
    }
  }

  /** A server falls silent, and knows no connection any more. */
  public void crash(int server) {
    servers.get(server).crash();
  }

  /** All connections as they are now. */
  public List<Kept> connections() {
    List<Future<List<Kept>>> asked = new ArrayList<>();
    for (int i = 0; i < clients.size(); i++) {
      asked.add(hosts.get(i).loop().submit(clients.get(i)::kept));
    }
    List<Kept> all = new ArrayList<>();
    asked.forEach(part -> all.addAll(part.syncUninterruptibly().getNow()));
    return all;
  }

  /** Opens and sends no more. */
  @Override
  public void close() {
    each(LastingClient::close);
  }
}
