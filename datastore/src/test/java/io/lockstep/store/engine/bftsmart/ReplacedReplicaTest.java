package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.client.SimulationSeeds;
import io.lockstep.store.engine.bftsmart.ScriptedCluster.Link;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.disk.SimulatedDisk;
import io.lockstep.store.machine.ReplacedMachines;
import io.lockstep.store.machine.ReplacedMachines.RefusedChangeException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** docs/adr/0044: replicas as they are, whose machines are replaced and come back. */
@ExtendWith(IsolatedLibrary.class)
class ReplacedReplicaTest extends CopiedDirectories {
  private static final int SCHEDULES = 12;
  private static final int STEPS = 2_500;

  private static ReplacedMachines replaced(ReplacedMachines before, int id, int step) {
    try {
      return before.replace(3, id, "127.0.0.1", 7500 + id, step);
    } catch (RefusedChangeException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Puts an empty machine under an id. */
  private void newMachine(int id, int incarnation) {
    if (cluster().runs(id)) {
      cluster().crash(id);
    }
    disks.get(id).wipe();
    cluster().machines.incarnation(id, incarnation);
    cluster().restart(id);
  }

  private int changed(ReplacedMachines next, int... ids) {
    int request = cluster().machines.change(next, ids);
    cluster().runUntilAcknowledged(request);
    return request;
  }

  @Test
  void newMachineTakesTheIdAndTheOldOneIsRefused() {
    for (int lost = 0; lost < 3; lost++) {
      int id = lost;
      with(
          7 + lost,
          () -> {
            cluster().machines.shakeHands();
            write(0, 1, 2);
            SimulatedDisk old = disks.get(id).copy();
            cluster().crash(id);
            changed(replaced(ReplacedMachines.NONE, id, 5), 0, 1, 2);
            write(0, 1, 2);

            newMachine(id, 5);
            cluster().runUntilEqual();
            write(0, 1, 2);
            cluster().runUntilEqual();
            cluster().verify();

            cluster().crash(id);
            SimulatedDisk present = disks.get(id).copy();
            putBack(id, old);
            cluster().machines.incarnation(id, 0);
            cluster().restart(id);
            write(0, 1, 2);
            cluster().advance(5_000);
            // Nobody hears it, so it stays where its disk was.
            assertThat(cluster().replica(id).doing().name()).isNotEqualTo("OPERATIONAL");

            cluster().crash(id);
            putBack(id, present);
            cluster().machines.incarnation(id, 5);
            cluster().restart(id);
            cluster().runUntilEqual();
            cluster().verify();
          });
    }
  }

  @Test
  void runningMachineEndsWhereItLearnsOfItsReplacement() {
    with(
        3,
        () -> {
          cluster().machines.shakeHands();
          write(0, 1, 2);
          changed(replaced(ReplacedMachines.NONE, 1, 1), 0, 1, 2);
          awaitRefused(1);
          assertThat(cluster().replica(1).halted()).contains("has taken its place");
          write(0, 2);
        });
  }

  @Test
  void newcomerWaitsUntilEveryOtherKnowsOfIt() {
    with(
        5,
        () -> {
          cluster().machines.shakeHands();
          write(0, 1, 2);
          // Replicas 0 and 2 decide the change; replica 1 hears nothing of it.
          cluster().lose(sent -> sent.from() == 1 || sent.to() == 1);
          changed(replaced(ReplacedMachines.NONE, 2, 9), 0, 2);
          awaitRefused(2);
          newMachine(2, 9);
          cluster().advance(5_000);
          assertThat(cluster().replica(2).log.joined()).isFalse();
          assertThat(cluster().replica(2).log.last().instance())
              .isLessThanOrEqualTo(cluster().replica(0).last());

          cluster().heal();
          cluster().runUntilEqual();
          write(0, 1, 2);
          cluster().runUntilEqual();
          cluster().verify();
        });
  }

  /** A peer that is asked twice may answer twice, the second time with more. */
  @Test
  void noMachineIsKnownBeforeItsDecisionIsOnTheDisk() {
    with(
        8,
        () -> {
          cluster().machines.shakeHands();
          write(0, 1, 2);
          cluster().runUntilEqual();
          SimulatedDisk before = disks.get(1).copy();
          cluster().crash(2);
          ReplacedMachines first = replaced(ReplacedMachines.NONE, 2, 5);
          changed(first, 0, 1);
          write(0, 1);
          int learned = (int) cluster().replica(0).last();
          changed(replaced(first, 2, 4), 0, 1);
          List<Decision> decisions = cluster().replica(0).decisions();

          cluster().crash(1);
          putBack(1, before);
          cluster().lose(sent -> true);
          cluster().restart(1);
          ScriptedReplica one = cluster().replica(1);
          int next = (int) one.last() + 1;
          one.learn(0, decisions.subList(next, learned + 1));
          cluster().runDisk(1);
          one.learn(0, decisions.subList(learned + 1, decisions.size()));
          assertThat(one.machines().known(2)).isZero();
          cluster().advance(500);
          assertThat(one.machines().known(2)).isEqualTo(9);
        });
  }

  @Test
  void whatTheOldMachineSaidCountsNoMoreAfterTheChange() {
    with(
        9,
        () -> {
          cluster().machines.shakeHands();
          write(0, 1, 2);
          cluster().lose(sent -> sent.from() == 1 || sent.to() == 1);
          // Nothing that replica 1 has sent is recent any more.
          cluster().advance(2_000);
          write(0, 2);
          changed(replaced(ReplacedMachines.NONE, 2, 9), 0, 2);
          cluster().advance(2_000);
          ScriptedReplica zero = cluster().replica(0);
          assertThat(zero.machines().known(2)).isEqualTo(9);
          assertThat(zero.agent().recovering()).as("it is alone: %s", cluster()).isTrue();
        });
  }

  @Test
  void directoryOfTheOldMachineIsRefusedUnderTheNewIncarnation() {
    with(
        6,
        () -> {
          cluster().machines.shakeHands();
          write(0, 1, 2);
          cluster().crash(2);
          changed(replaced(ReplacedMachines.NONE, 2, 9), 0, 1);
          cluster().machines.incarnation(2, 9);
          cluster().restart(2);
          assertThat(
                  cluster()
                      .replica(2)
                      .machines()
                      .ownRefusal(cluster().replica(2).machines().machines()))
              .isPresent();
        });
  }

  /**
   * The two machines of an id run in turn, as the network would show first the one and then the
   * other, while links break, replicas crash and lose power. Nothing acknowledged is lost, and no
   * two histories part.
   */
  @Test
  void noTwoHistoriesPart() {
    SimulationSeeds.forEach(SCHEDULES, seed -> with(seed, () -> schedule(seed)));
  }

  private void schedule(long seed) {
    Random dice = new Random(seed * 31 + 1);
    Set<Link> cut = new HashSet<>();
    cluster().machines.shakeHands();
    cluster().lose(sent -> cut.contains(new Link(sent.from(), sent.to())));
    int id = dice.nextInt(3);
    int[] all = IntStream.range(0, 3).toArray();
    ReplacedMachines next = replaced(ReplacedMachines.NONE, id, 4);
    int change = -1;
    boolean newer = false;
    List<SimulatedDisk> machines = new ArrayList<>(List.of(disks.get(id).copy()));
    for (int step = 0; step < STEPS; step++) {
      step(dice, cut);
      if (change < 0 ? dice.nextInt(400) == 0 : dice.nextInt(100) == 0) {
        boolean acknowledged = change >= 0 && cluster().isAcknowledged(change);
        if (!acknowledged) {
          change = cluster().machines.change(next, all);
        }
        if (change >= 0 && dice.nextInt(6) == 0) {
          newer = exchange(id, newer, machines);
        }
      }
    }
    cut.clear();
    cluster().heal();
    settle(id, newer, machines, next, change);
  }

  /** Ends the machine that runs under the id and starts the other one. */
  private boolean exchange(int id, boolean newer, List<SimulatedDisk> machines) {
    if (cluster().runs(id)) {
      cluster().crash(id);
    }
    SimulatedDisk present = disks.get(id).copy();
    if (newer) {
      machines.set(1, present);
      putBack(id, machines.get(0));
    } else {
      machines.set(0, present);
      if (machines.size() == 1) {
        disks.get(id).wipe();
        machines.add(disks.get(id).copy());
      } else {
        putBack(id, machines.get(1));
      }
    }
    cluster().machines.incarnation(id, newer ? 0 : 4);
    cluster().restart(id);
    return !newer;
  }

  private void settle(
      int id, boolean newer, List<SimulatedDisk> machines, ReplacedMachines next, int change) {
    int[] others = IntStream.range(0, 3).filter(each -> each != id).toArray();
    if (newer) {
      exchange(id, true, machines);
    }
    for (int each : IntStream.range(0, 3).toArray()) {
      if (!cluster().runs(each)) {
        cluster().restart(each);
      }
    }
    int request = change;
    for (int tries = 0;
        tries < 20 && !(request >= 0 && cluster().isAcknowledged(request));
        tries++) {
      request = cluster().machines.change(next, 0, 1, 2);
      cluster().advance(2_000);
    }
    cluster().runUntilAcknowledged(request);
    exchange(id, false, machines);
    cluster().runUntilEqual();
    write(others[0], others[1], id);
    cluster().runUntilEqual();
    cluster().verify();
  }

  private void step(Random dice, Set<Link> cut) {
    int roll = dice.nextInt(1000);
    int id = dice.nextInt(3);
    if (roll < 700) {
      List<Link> waiting = cluster().waiting();
      if (!waiting.isEmpty()) {
        cluster().deliver(waiting.get(dice.nextInt(waiting.size())));
      }
    } else if (roll < 800) {
      cluster().pass(dice.nextInt(33));
      cluster().tick(id);
    } else if (roll < 880) {
      cluster().runDisk(id);
    } else if (roll < 950) {
      cluster().request(id, dice.nextInt(3), dice.nextInt(3));
    } else if (roll < 970) {
      cut.add(new Link(id, dice.nextInt(3)));
    } else if (roll < 990) {
      cut.clear();
    } else if (!cluster().runs(id)) {
      cluster().restart(id);
    } else if (roll < 993) {
      cluster().crash(id);
    } else if (roll < 994) {
      cluster().losePower(id);
    }
  }
}
