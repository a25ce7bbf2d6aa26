package io.lockstep.history.nemesis;

import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * {@link Namespaces} with a router between the replicas that loses their packets, in silence: no
 * connection is reset, nothing is refused. What a sender repeats in time arrives when the fault
 * ends, so a short fault holds bytes back and a long one breaks connections.
 *
 * <p>A link is slow by {@code netem} where the kernel has it. Else its packets wait in a queue in
 * front of a narrow link, as at a modem; what does not fit into the queue is lost.
 */
public final class NamespaceNetwork implements Network {
  private static final int STORE_PORT = 7000;
  private static final int BITS_PER_MILLI = 2_000;

  private enum Slowness {
    NETEM,
    NARROW,
    NONE
  }

  private record Direction(int from, int to) {}

  private final String id;
  private final String router;
  private final Slowness slowness;
  private final Set<Direction> lost = new HashSet<>();
  private final Set<Integer> shaped = new HashSet<>();

  /**
   * The network of namespaces that were made.
   *
   * @param id that they were made with
   */
  public NamespaceNetwork(String id) throws IOException, InterruptedException {
    this.id = id;
    this.router = Namespaces.router(id);
    this.slowness = probe();
  }

  private Slowness probe() throws IOException, InterruptedException {
    for (Slowness way : List.of(Slowness.NETEM, Slowness.NARROW)) {
      try {
        shape(0, way, 5, 5);
        filter(1, 0);
        return way;
      } catch (IOException refused) {
        // The next one, then.
      } finally {
        Tool.succeeds(unshape(0));
      }
    }
    return Slowness.NONE;
  }

  @Override
  public String label() {
    return "namespaces";
  }

  @Override
  public List<Member> members() {
    List<Member> members = new ArrayList<>();
    for (int replica = 0; replica < Cluster.SIZE; replica++) {
      members.add(new Member(replica, Namespaces.host(replica), STORE_PORT));
    }
    return members;
  }

  @Override
  public String address(int replica, int knownBy) {
    return Namespaces.host(replica) + ":" + STORE_PORT;
  }

  @Override
  public List<String> before(int replica) {
    return Namespaces.inside(Namespaces.replica(id, replica));
  }

  @Override
  public boolean canDelay() {
    return slowness != Slowness.NONE;
  }

  @Override
  public boolean canHold() {
    return false;
  }

  @Override
  public void treat(int from, int to, Treatment towards, Treatment back, int mostMillis)
      throws IOException, InterruptedException {
    treat(new Direction(from, to), towards, mostMillis);
    treat(new Direction(to, from), back, mostMillis);
  }

  private void treat(Direction direction, Treatment treatment, int mostMillis)
      throws IOException, InterruptedException {
    switch (treatment) {
      case PASS -> {}
      case HOLD, DROP -> {
        if (lost.add(direction)) {
          Tool.run(Namespaces.rule("add", router, direction.from(), direction.to()));
        }
      }
      case DELAY, LATE -> {
        if (shaped.add(direction.to())) {
          int spread = treatment == Treatment.LATE ? 0 : mostMillis / 2;
          shape(direction.to(), slowness, mostMillis - spread, spread);
        }
        filter(direction.from(), direction.to());
      }
    }
  }

  /** Makes a slow class beside the usual one, on the way to a replica. */
  private void shape(int to, Slowness way, int millis, int spreadMillis)
      throws IOException, InterruptedException {
    String tc = "tc -n " + router + " %s dev " + Namespaces.port(to) + " ";
    int rate = way == Slowness.NARROW ? BITS_PER_MILLI : 1_000_000;
    Tool.run(String.format(tc, "qdisc add") + "root handle 1: htb default 1");
    Tool.run(String.format(tc, "class add") + "parent 1: classid 1:1 htb rate 1gbit quantum 1514");
    Tool.run(
        String.format(tc, "class add")
            + String.format("parent 1: classid 1:2 htb rate %dkbit quantum 1514", rate));
    String queue =
        way == Slowness.NARROW
            ? "bfifo limit " + BITS_PER_MILLI / 8 * (millis + spreadMillis)
            : String.format("netem limit 100000 delay %dms %dms", millis, spreadMillis);
    Tool.run(String.format(tc, "qdisc add") + "parent 1:2 handle 2: " + queue);
  }

  /** What comes from that replica takes the slow class; what clients send does not. */
  private void filter(int from, int to) throws IOException, InterruptedException {
    Tool.run(
        String.format(
            "tc -n %s filter add dev %s parent 1: protocol ip u32 match ip src %s/32 flowid 1:2",
            router, Namespaces.port(to), Namespaces.host(from)));
  }

  private String unshape(int to) {
    return String.format("tc -n %s qdisc del dev %s root", router, Namespaces.port(to));
  }

  @Override
  public void heal() throws IOException, InterruptedException {
    for (Direction direction : lost) {
      Tool.run(Namespaces.rule("del", router, direction.from(), direction.to()));
    }
    lost.clear();
    for (int to : shaped) {
      Tool.run(unshape(to));
    }
    shaped.clear();
  }

  /** The namespaces are their maker's business. */
  @Override
  public void close() {}
}
