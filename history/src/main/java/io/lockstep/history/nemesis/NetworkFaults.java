package io.lockstep.history.nemesis;

import java.util.List;
import java.util.Random;

/** Faults of the links between replicas. */
final class NetworkFaults {
  private static final int MOST_DELAY_MILLIS = 200;
  private static final int SLOW_LINK_MILLIS = 200;
  private static final int SLOW_SYNC_MILLIS = 400;

  private final Cluster cluster;
  private final Random random;

  NetworkFaults(Cluster cluster, Random random) {
    this.cluster = cluster;
    this.random = random;
  }

  private Treatment loss() {
    return random.nextBoolean() && cluster.network().canHold() ? Treatment.HOLD : Treatment.DROP;
  }

  private static String how(Treatment treatment) {
    return treatment == Treatment.HOLD ? ", held" : ", dropped";
  }

  Fault partition() throws InterruptedException {
    int leader = Victims.leader(cluster, random);
    int one = random.nextInt(3) > 0 ? leader : Victims.other(leader, random);
    String name = (one == leader ? "leader " : "follower ") + one;
    Network network = cluster.network();
    Treatment loss = loss();
    String how = how(loss);
    int other = Victims.other(one, random);
    List<Integer> all = Victims.all();
    List<Integer> alone = List.of(one);
    return switch (random.nextInt(6)) {
      case 0 -> links("none hears another" + how, true, all, all, loss, loss);
      case 1 -> links(name + " is not heard" + how, false, alone, all, loss, Treatment.PASS);
      case 2 -> links(name + " hears nobody" + how, false, alone, all, Treatment.PASS, loss);
      case 3 ->
          links(
              name + " and " + other + " do not hear each other" + how,
              false,
              alone,
              List.of(other),
              loss,
              loss);
      case 4 -> {
        Treatment slow = network.canDelay() ? Treatment.DELAY : loss;
        String what = network.canDelay() ? " is slow" : " is alone" + how;
        yield links(name + what, false, alone, all, slow, slow);
      }
      default -> links(name + " is alone" + how, false, alone, all, loss, loss);
    };
  }

  private Fault links(
      String detail,
      boolean stopsAll,
      List<Integer> from,
      List<Integer> to,
      Treatment towards,
      Treatment back) {
    return new Fault(
        FaultKind.PARTITION,
        detail,
        stopsAll,
        () -> {
          for (int one : from) {
            for (int other : to) {
              if (one != other) {
                cluster.network().treat(one, other, towards, back, MOST_DELAY_MILLIS);
              }
            }
          }
        },
        cluster.network()::heal);
  }

  /** Between one pair, in one direction. */
  Fault oneWay() throws InterruptedException {
    int leader = Victims.leader(cluster, random);
    int from = random.nextInt(3) > 0 ? leader : Victims.other(leader, random);
    int to = Victims.other(from, random);
    boolean back = random.nextBoolean();
    int speaker = back ? to : from;
    int listener = back ? from : to;
    Treatment loss = loss();
    return new Fault(
        FaultKind.ONEWAY,
        listener + " does not hear " + speaker + how(loss),
        () -> cluster.network().treat(speaker, listener, loss, Treatment.PASS, 0),
        cluster.network()::heal);
  }

  /** Links of 200 ms and syncs that take 400 ms longer: at one replica or at all. */
  Fault slow() throws InterruptedException {
    Victims victims =
        random.nextBoolean() ? new Victims("all", Victims.all()) : Victims.one(cluster, random);
    boolean links = cluster.network().canDelay();
    boolean syncs = cluster.disks().durable() && (!links || random.nextInt(3) > 0);
    return new Fault(
        FaultKind.SLOW,
        victims.name() + (links ? ", links" : "") + (syncs ? ", syncs" : ""),
        () -> {
          for (int id : victims.ids()) {
            for (int peer : links ? Victims.all() : List.<Integer>of()) {
              if (peer != id) {
                cluster.network().treat(id, peer, Treatment.LATE, Treatment.LATE, SLOW_LINK_MILLIS);
              }
            }
            cluster.slowSyncs(id, syncs ? SLOW_SYNC_MILLIS : 0);
          }
        },
        () -> {
          cluster.network().heal();
          for (int id : victims.ids()) {
            cluster.slowSyncs(id, 0);
          }
        });
  }
}
