package io.lockstep.history.nemesis;

import io.lockstep.history.nemesis.Nemesis.HangException;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Faults that stop and end processes, and what becomes of their disks. */
final class ProcessFaults {
  /** A replica that has just started is killed within this. */
  private static final int STARTING_MILLIS = 3_000;

  private static final int MOST_KILLS = 3;

  /** A replica that is to be refused has ended within this. */
  private static final int REFUSED_MILLIS = 30_000;

  private static final int GROW_MILLIS = 1_500;

  private final Cluster cluster;
  private final Random random;
  private final boolean durable;

  ProcessFaults(Cluster cluster, Random random) {
    this.cluster = cluster;
    this.random = random;
    this.durable = cluster.disks().durable();
  }

  private Victims oneOrSeveral(boolean several) throws InterruptedException {
    return several ? Victims.several(random) : Victims.one(cluster, random);
  }

  Fault kill() throws InterruptedException {
    Victims victims = oneOrSeveral(durable && random.nextInt(3) == 0);
    return new Fault(
        FaultKind.KILL,
        victims.name(),
        victims.many(),
        () -> {
          for (int id : victims.ids()) {
            cluster.kill(id);
          }
        },
        cluster::reviveEnded);
  }

  Fault pause() throws InterruptedException {
    Victims victims = oneOrSeveral(random.nextInt(3) == 0);
    return new Fault(
        FaultKind.PAUSE,
        victims.name(),
        victims.many(),
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

  Fault restart() throws InterruptedException {
    Victims victims = oneOrSeveral(durable && random.nextInt(3) == 0);
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

  Fault wipe() throws InterruptedException {
    Victims victim = Victims.one(cluster, random);
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

  /** What was not synced is not there any more, at one replica or at several at once. */
  Fault power() throws InterruptedException {
    Victims victims = oneOrSeveral(random.nextBoolean());
    return new Fault(
        FaultKind.POWER,
        victims.name(),
        victims.many(),
        () -> {
          cluster.killTogether(victims.ids());
          for (int id : victims.ids()) {
            cluster.disks().losePower(id, random);
          }
        },
        cluster::reviveEnded);
  }

  /** Kills of one replica that is starting, fetching what it missed, or writing a snapshot. */
  Fault recovery() throws InterruptedException {
    Victims victim = Victims.one(cluster, random);
    int id = victim.ids().get(0);
    return switch (random.nextInt(durable ? 3 : 2)) {
      case 0 ->
          new Fault(
              FaultKind.RECOVERY,
              victim.name() + " as it starts",
              () -> {
                cluster.kill(id);
                killAgain(id, false);
              },
              cluster::reviveEnded);
      case 1 ->
          new Fault(
              FaultKind.RECOVERY,
              victim.name() + " during a transfer",
              () -> {
                cluster.kill(id);
                cluster.disks().wipe(id);
                killAgain(id, true);
              },
              cluster::reviveEnded);
      default ->
          new Fault(
              FaultKind.RECOVERY,
              victim.name() + " during a snapshot",
              () -> {
                cluster.disks().awaitSnapshot(id, STARTING_MILLIS);
                cluster.kill(id);
              },
              cluster::reviveEnded);
    };
  }

  private void killAgain(int id, boolean fetching) throws IOException, InterruptedException {
    int kills = 1 + random.nextInt(MOST_KILLS);
    for (int i = 0; i < kills; i++) {
      cluster.reviveEnded();
      if (fetching) {
        cluster.awaitRecovering(id, STARTING_MILLIS);
      } else {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(STARTING_MILLIS));
      }
      cluster.kill(id);
    }
  }

  /**
   * A replica is started from an old copy of its own directory, made before its last start or while
   * it ran: it must end by itself, since its peers know of later decisions. Then it comes back
   * empty.
   */
  Fault rollback() throws InterruptedException {
    Victims victim = Victims.one(cluster, random);
    int id = victim.ids().get(0);
    boolean whileItRan = random.nextBoolean();
    return new Fault(
        FaultKind.ROLLBACK,
        victim.name() + (whileItRan ? ", copied while it ran" : ", copied before its last start"),
        () -> {
          copy(id, whileItRan);
          TimeUnit.MILLISECONDS.sleep(GROW_MILLIS);
          cluster.kill(id);
          cluster.disks().putBack(id);
          cluster.reviveEnded();
          cluster.awaitEnd(id, REFUSED_MILLIS);
          if (!cluster.wasRefused(id)) {
            String refused = "replica " + id + " is refused, as one with an old copy";
            throw new HangException(cluster.hang(refused, "its rollback", REFUSED_MILLIS));
          }
          cluster.disks().wipe(id);
        },
        cluster::reviveEnded);
  }

  /**
   * Another machine, with an empty directory, takes the place of a replica that is dead or that
   * runs. Then the machine before comes back with its directory, and must be refused. The victim is
   * the replica that no other dials: the addresses of the others lead through relays.
   */
  Fault replace() {
    int id = Cluster.SIZE - 1;
    boolean lives = random.nextBoolean();
    return new Fault(
        FaultKind.REPLACE,
        id + (lives ? ", which runs" : ", which is dead"),
        () -> {
          if (!lives) {
            cluster.kill(id);
          }
          int before = cluster.incarnation(id);
          int next = cluster.order(id);
          if (lives) {
            cluster.awaitEnd(id, REFUSED_MILLIS);
            requireRefused(id, cluster.wasRefused(id), "as it runs");
          }
          cluster.disks().copy(id);
          cluster.disks().wipe(id);
          cluster.machine(id, next);
          cluster.reviveEnded();
          if (cluster.awaitHealthy(Nemesis.HEALTHY_MILLIS) < 0) {
            String there = "the new machine of replica " + id + " takes part";
            throw new HangException(cluster.hang(there, "its order", Nemesis.HEALTHY_MILLIS));
          }
          cluster.arrived(id);
          cluster.kill(id);
          boolean refused =
              cluster.isRefused(id, before, cluster.disks().copied(id), REFUSED_MILLIS);
          requireRefused(id, refused, "when it comes back");
        },
        cluster::reviveEnded);
  }

  private void requireRefused(int id, boolean refused, String when)
      throws HangException, InterruptedException {
    if (!refused) {
      String what = "the machine before of replica " + id + " is refused " + when;
      throw new HangException(cluster.hang(what, "its replacement", REFUSED_MILLIS));
    }
  }

  private void copy(int id, boolean whileItRuns)
      throws IOException, InterruptedException, HangException {
    if (whileItRuns) {
      cluster.pause(id);
      cluster.disks().copy(id);
      cluster.resume(id);
      return;
    }
    cluster.kill(id);
    cluster.disks().copy(id);
    cluster.reviveEnded();
    if (cluster.awaitHealthy(Nemesis.HEALTHY_MILLIS) < 0) {
      String back = "replica " + id + " is back";
      throw new HangException(cluster.hang(back, "a start", Nemesis.HEALTHY_MILLIS));
    }
  }
}
