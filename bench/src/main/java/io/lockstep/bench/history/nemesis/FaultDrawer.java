package io.lockstep.bench.history.nemesis;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Draws faults at random, never more than the store promises to survive. With its state in memory a
 * replica that ended has lost it, so then only one ends at a time.
 */
final class FaultDrawer {
  private static final int MOST_DELAY_MILLIS = 200;

  /** A full disk is noticed when the log needs more than it has taken ahead. */
  private static final int FULL_MILLIS = 20_000;

  private final Cluster cluster;
  private final Random random;
  private final List<FaultKind> kinds;
  private final boolean durable;
  private final List<FaultKind> bag = new ArrayList<>();

  FaultDrawer(Cluster cluster, Set<FaultKind> kinds, Random random) {
    this.cluster = cluster;
    this.kinds = List.copyOf(kinds);
    this.durable = cluster.disks().durable();
    this.random = random;
  }

  /** The next fault; every kind comes up equally often. */
  Fault draw() throws InterruptedException {
    if (bag.isEmpty()) {
      bag.addAll(kinds);
      Collections.shuffle(bag, random);
    }
    return draw(bag.remove(bag.size() - 1));
  }

  /** One that can come while {@code first} lasts, or none. */
  List<Fault> drawBeside(Fault first) throws InterruptedException {
    boolean alone = first.kind() == FaultKind.WIPE || first.kind() == FaultKind.DISK;
    List<FaultKind> fitting =
        kinds.stream()
            .filter(kind -> kind == FaultKind.PAUSE || kind == FaultKind.PARTITION)
            .filter(kind -> kind != first.kind())
            .toList();
    if (alone || first.kind() == FaultKind.RESTART || fitting.isEmpty()) {
      return List.of();
    }
    return List.of(draw(fitting.get(random.nextInt(fitting.size()))));
  }

  private Fault draw(FaultKind kind) throws InterruptedException {
    return switch (kind) {
      case KILL -> kill();
      case PAUSE -> pause();
      case PARTITION -> partition();
      case RESTART -> restart();
      case WIPE -> wipe();
      case DISK -> disk();
    };
  }

  private int leader() throws InterruptedException {
    int leader = cluster.leader();
    return leader >= 0 ? leader : random.nextInt(Cluster.SIZE);
  }

  private int other(int id) {
    return (id + 1 + random.nextInt(Cluster.SIZE - 1)) % Cluster.SIZE;
  }

  private static List<Integer> all() {
    return IntStream.range(0, Cluster.SIZE).boxed().toList();
  }

  /** Whom it meets, with a word for it. */
  private record Victims(String name, List<Integer> ids) {}

  private Victims one() throws InterruptedException {
    int leader = leader();
    if (random.nextBoolean()) {
      return new Victims("leader " + leader, List.of(leader));
    }
    int follower = other(leader);
    return new Victims("follower " + follower, List.of(follower));
  }

  private Victims several() throws InterruptedException {
    if (random.nextBoolean()) {
      return new Victims("all", all());
    }
    int spared = random.nextInt(Cluster.SIZE);
    return new Victims("all but " + spared, all().stream().filter(id -> id != spared).toList());
  }

  private Fault kill() throws InterruptedException {
    Victims victims = durable && random.nextInt(3) == 0 ? several() : one();
    return new Fault(
        FaultKind.KILL,
        victims.name(),
        () -> {
          for (int id : victims.ids()) {
            cluster.kill(id);
          }
        },
        cluster::reviveEnded);
  }

  private Fault pause() throws InterruptedException {
    Victims victims = random.nextInt(4) == 0 ? several() : one();
    return new Fault(
        FaultKind.PAUSE,
        victims.name(),
        () -> {
          for (int id : victims.ids()) {
            cluster.pause(id);
          }
        },
        () -> {
          for (int id : victims.ids()) {
            cluster.resume(id);
          }
        });
  }

  private Fault restart() throws InterruptedException {
    Victims victims = durable && random.nextInt(3) == 0 ? several() : one();
    return new Fault(
        FaultKind.RESTART,
        victims.name(),
        () -> {
          for (int id : victims.ids()) {
            cluster.end(id);
          }
          cluster.reviveEnded();
        },
        () -> {});
  }

  private Fault wipe() throws InterruptedException {
    Victims victim = one();
    return new Fault(
        FaultKind.WIPE,
        victim.name(),
        () -> {
          for (int id : victim.ids()) {
            cluster.kill(id);
            cluster.disks().wipe(id);
          }
        },
        cluster::reviveEnded);
  }

  /** The replica halts when it cannot write any more; it comes back when it can. */
  private Fault disk() {
    int victim = cluster.disks().victim();
    if (cluster.disks().canFill()) {
      return new Fault(
          FaultKind.DISK,
          "full at " + victim,
          () -> {
            cluster.disks().fill();
            cluster.awaitEnd(victim, FULL_MILLIS);
          },
          () -> {
            cluster.disks().free();
            cluster.reviveEnded();
          });
    }
    return new Fault(
        FaultKind.DISK,
        "no writes at " + victim,
        () -> {
          cluster.forbidWrites(victim);
          cluster.awaitEnd(victim, FULL_MILLIS);
        },
        () -> {
          cluster.permitWrites(victim);
          cluster.reviveEnded();
        });
  }

  private Fault partition() throws InterruptedException {
    int leader = leader();
    int one = random.nextInt(3) > 0 ? leader : other(leader);
    String name = (one == leader ? "leader " : "follower ") + one;
    Network network = cluster.network();
    boolean hold = random.nextBoolean() && network.canHold();
    Treatment treatment = hold ? Treatment.HOLD : Treatment.DROP;
    String how = hold ? ", held" : ", dropped";
    int other = other(one);
    return switch (random.nextInt(6)) {
      case 0 -> links("none hears another" + how, all(), all(), treatment, treatment);
      case 1 -> links(name + " is not heard" + how, List.of(one), all(), treatment, Treatment.PASS);
      case 2 -> links(name + " hears nobody" + how, List.of(one), all(), Treatment.PASS, treatment);
      case 3 ->
          links(
              name + " and " + other + " do not hear each other" + how,
              List.of(one),
              List.of(other),
              treatment,
              treatment);
      case 4 -> {
        Treatment slow = network.canDelay() ? Treatment.DELAY : treatment;
        String what = network.canDelay() ? " is slow" : " is alone" + how;
        yield links(name + what, List.of(one), all(), slow, slow);
      }
      default -> links(name + " is alone" + how, List.of(one), all(), treatment, treatment);
    };
  }

  private Fault links(
      String detail, List<Integer> from, List<Integer> to, Treatment towards, Treatment back) {
    return new Fault(
        FaultKind.PARTITION,
        detail,
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
}
