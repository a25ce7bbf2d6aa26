package io.lockstep.history.nemesis;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Draws faults at random, never more than the store promises to survive. With its state in memory a
 * replica that ended has lost it, so then only one ends at a time. Each fault has random numbers of
 * its own, so that how many it takes, which may depend on time, changes nothing for those after it.
 */
final class FaultDrawer {
  /** A full disk is noticed when the log needs more than it has taken ahead. */
  private static final int FULL_MILLIS = 20_000;

  private static final int MOST_WALL_JUMP_MILLIS = 3_600_000;
  private static final int MOST_SUSPENSION_MILLIS = 3_000;
  private static final int MOST_DRIFT_MILLIONTHS = 50_000;

  /** What can come while another fault lasts, and what can be met by that. */
  private static final Set<FaultKind> BESIDE = EnumSet.of(FaultKind.PAUSE, FaultKind.PARTITION);

  private static final Set<FaultKind> MET =
      EnumSet.of(
          FaultKind.KILL, FaultKind.PAUSE, FaultKind.PARTITION, FaultKind.POWER, FaultKind.CLOCK);

  private final Cluster cluster;
  private final Random random;
  private final KindBag bag;

  FaultDrawer(Cluster cluster, Set<FaultKind> kinds, Random random) {
    this.cluster = cluster;
    this.bag = new KindBag(kinds, new Random(random.nextLong()));
    this.random = random;
  }

  /** The next fault; every kind comes up equally often. */
  Fault draw() throws InterruptedException {
    return draw(bag.next());
  }

  /** How many kinds have not come up yet. */
  int missing() {
    return bag.missing();
  }

  /** One that can come while {@code first} lasts, or none. */
  List<Fault> drawBeside(Fault first) throws InterruptedException {
    List<FaultKind> fitting =
        bag.kinds().stream().filter(BESIDE::contains).filter(kind -> kind != first.kind()).toList();
    if (!MET.contains(first.kind()) || fitting.isEmpty()) {
      return List.of();
    }
    return List.of(draw(fitting.get(random.nextInt(fitting.size()))));
  }

  private Fault draw(FaultKind kind) throws InterruptedException {
    Random own = new Random(random.nextLong());
    ProcessFaults processes = new ProcessFaults(cluster, own);
    NetworkFaults network = new NetworkFaults(cluster, own);
    return switch (kind) {
      case KILL -> processes.kill();
      case PAUSE -> processes.pause();
      case PARTITION -> network.partition();
      case RESTART -> processes.restart();
      case WIPE -> processes.wipe();
      case DISK -> disk(own);
      case POWER -> processes.power();
      case ONEWAY -> network.oneWay();
      case CLOCK -> clock(own);
      case SLOW -> network.slow();
      case RECOVERY -> processes.recovery();
      case ROLLBACK -> processes.rollback();
      case REPLACE -> processes.replace();
    };
  }

  /** The replica halts when it cannot write any more; it comes back when it can. */
  private Fault disk(Random own) {
    int victim = own.nextInt(Cluster.SIZE);
    if (cluster.disks().canFill()) {
      return new Fault(
          FaultKind.DISK,
          "full at " + victim,
          () -> {
            cluster.disks().fill(victim);
            cluster.awaitEnd(victim, FULL_MILLIS);
          },
          () -> {
            cluster.disks().free(victim);
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

  /** The wall clock jumps and drifts, and the monotonic one: it drifts, and jumps forwards. */
  private Fault clock(Random own) throws InterruptedException {
    Victims victims =
        own.nextInt(3) == 0 ? new Victims("all", Victims.all()) : Victims.one(cluster, own);
    List<Skewing> skewings = new ArrayList<>();
    for (int id : victims.ids()) {
      skewings.add(
          new Skewing(
              id,
              own.nextInt(4) == 0 ? 0 : around(own, MOST_WALL_JUMP_MILLIS),
              around(own, MOST_DRIFT_MILLIONTHS),
              own.nextBoolean() ? 0 : own.nextInt(MOST_SUSPENSION_MILLIS),
              around(own, MOST_DRIFT_MILLIONTHS)));
    }
    return new Fault(
        FaultKind.CLOCK,
        victims.name(),
        () -> {
          for (Skewing one : skewings) {
            cluster.skewClocks(one.id, one.wallJump, one.wallDrift, one.jump, one.drift);
          }
        },
        () -> {
          for (Skewing one : skewings) {
            cluster.straightenClocks(one.id);
          }
        });
  }

  private record Skewing(int id, int wallJump, int wallDrift, int jump, int drift) {}

  private static int around(Random own, int most) {
    return own.nextInt(2 * most + 1) - most;
  }
}
