package io.lockstep.history.nemesis;

import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Loopback, with a relay between each two replicas: needs no rights. */
public final class RelayNetwork implements Network {
  private static final String HOST = "127.0.0.1";
  private static final int FIRST_RELAY = 10;

  private final PortBlock ports = PortBlock.take();
  private final EventLoopGroup group =
      new NioEventLoopGroup(1, new DefaultThreadFactory("relays", true));
  private final List<Relay> relays = new ArrayList<>();

  /**
   * Opens the relays.
   *
   * @param seed of the delays
   */
  public RelayNetwork(long seed) throws IOException {
    try {
      for (int high = 1; high < Cluster.SIZE; high++) {
        for (int low = 0; low < high; low++) {
          int place = place(low, high);
          relays.add(Relay.open(group, relayPort(place), port(low) + 1, new Random(seed + place)));
        }
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private int port(int id) {
    return ports.port(1 + 2 * id);
  }

  private int relayPort(int place) {
    return ports.port(FIRST_RELAY + 2 * place + 1);
  }

  private static int place(int low, int high) {
    return high * (high - 1) / 2 + low;
  }

  @Override
  public String label() {
    return "relay";
  }

  @Override
  public List<Member> members() {
    List<Member> members = new ArrayList<>();
    for (int id = 0; id < Cluster.SIZE; id++) {
      members.add(new Member(id, HOST, port(id)));
    }
    return members;
  }

  /** A replica dials those with lower ids, so only their addresses lead to relays. */
  @Override
  public String address(int replica, int knownBy) {
    boolean dialled = replica < knownBy;
    return HOST + ":" + (dialled ? relayPort(place(replica, knownBy)) - 1 : port(replica));
  }

  @Override
  public List<String> before(int replica) {
    return List.of();
  }

  @Override
  public boolean canDelay() {
    return true;
  }

  @Override
  public boolean canHold() {
    return true;
  }

  @Override
  public void treat(int from, int to, Treatment towards, Treatment back, int mostMillis) {
    boolean dials = from > to;
    relays
        .get(place(Math.min(from, to), Math.max(from, to)))
        .treat(dials ? towards : back, dials ? back : towards, mostMillis);
  }

  @Override
  public void heal() {
    relays.forEach(Relay::heal);
  }

  @Override
  public void close() {
    relays.forEach(Relay::close);
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    ports.close();
  }
}
