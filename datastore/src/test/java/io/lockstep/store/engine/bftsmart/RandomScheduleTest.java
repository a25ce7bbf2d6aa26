package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.client.SimulationSeeds;
import io.lockstep.store.engine.ReplicaStatus.Phase;
import io.lockstep.store.engine.bftsmart.ScriptedCluster.Link;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Replicas as they are, under schedules that no network would think of: messages overtake those of
 * other links, links break, replicas crash and forget what they accepted, leaders are deposed
 * without need or step down. With logs on disks these sync when it suits them, processes are
 * killed, machines lose power with what was not synced, one by one and all at once. Some forget
 * everything: as many as may fail at once, or all but one that has what was acknowledged. What is
 * acknowledged is never lost, and in the end all agree.
 */
@ExtendWith(IsolatedLibrary.class)
class RandomScheduleTest {
  private static final int SCHEDULES = 20;
  private static final int STEPS = 3_000;

  private final Set<Link> cut = new HashSet<>();

  /** Replicas that have forgotten everything and do not take part yet. */
  private final Set<Integer> empty = new HashSet<>();

  private int powerLosses;
  private int lonelySurvivors;

  @Test
  void nothingAcknowledgedIsLost() {
    SimulationSeeds.forEach(SCHEDULES, seed -> schedule(new Random(seed), false));
    if (!SimulationSeeds.chosen()) {
      assertThat(lonelySurvivors).as("times that all but one forgot everything").isPositive();
    }
  }

  @Test
  void nothingAcknowledgedIsLostWithTheDisksThatLosePower() {
    SimulationSeeds.forEach(SCHEDULES, seed -> schedule(new Random(seed), true));
    if (!SimulationSeeds.chosen()) {
      assertThat(powerLosses).as("times that all lost power at once").isPositive();
    }
  }

  private void schedule(Random random, boolean disks) {
    int size = random.nextInt(4) == 0 ? 5 : 3;
    cut.clear();
    empty.clear();
    try (ScriptedCluster cluster =
        disks
            ? ScriptedCluster.onDisks(size, 100, new Random(random.nextLong()))
            : new ScriptedCluster(size, 100)) {
      cluster.start();
      cluster.lose(sent -> cut.contains(new Link(sent.from(), sent.to())));
      for (int step = 0; step < STEPS; step++) {
        step(cluster, size, random);
        wipes(cluster, size, random);
        if (disks) {
          disks(cluster, size, random);
        }
      }
      cluster.heal();
      for (int id = 0; id < size; id++) {
        if (!cluster.runs(id)) {
          cluster.restart(id);
        }
      }
      cluster.runUntilEqual();
      int request = cluster.request(all(size));
      cluster.runUntilAcknowledged(request);
      cluster.runUntilEqual();
      cluster.verify();
    }
  }

  /** What the disks do meanwhile, and the power. */
  private void disks(ScriptedCluster cluster, int size, Random random) {
    int dice = random.nextInt(2000);
    int id = random.nextInt(size);
    if (dice < 800) {
      cluster.runDisk(id);
    } else if (dice < 804) {
      cluster.losePower(id);
    } else if (dice < 806) {
      powerLosses++;
      for (int each = 0; each < size; each++) {
        cluster.losePower(each);
      }
    } else if (dice < 820 && !cluster.runs(id)) {
      cluster.restart(id);
    }
  }

  /**
   * Replicas forget everything. Those that have not come back since are never more than may fail at
   * once, unless what was acknowledged is on the only one that is left.
   */
  private void wipes(ScriptedCluster cluster, int size, Random random) {
    int dice = random.nextInt(2000);
    int id = random.nextInt(size);
    empty.removeIf(one -> cluster.runs(one) && cluster.replica(one).log.joined());
    if (dice < 3 && empty.size() < (size - 1) / 2) {
      wipe(cluster, id);
    } else if (dice < 5
        && empty.isEmpty()
        && cluster.runs(id)
        && cluster.acknowledgements.lacking(cluster.replica(id).log).isEmpty()) {
      lonelySurvivors++;
      for (int each = 0; each < size; each++) {
        if (each != id) {
          wipe(cluster, each);
        }
      }
    } else if (dice < 25 && !cluster.runs(id)) {
      cluster.restart(id);
    }
  }

  private void wipe(ScriptedCluster cluster, int id) {
    cluster.wipe(id);
    empty.add(id);
  }

  private static int[] all(int size) {
    return java.util.stream.IntStream.range(0, size).toArray();
  }

  private void step(ScriptedCluster cluster, int size, Random random) {
    int dice = random.nextInt(1000);
    int id = random.nextInt(size);
    if (dice < 700) {
      List<Link> waiting = cluster.waiting();
      if (!waiting.isEmpty()) {
        cluster.deliver(waiting.get(random.nextInt(waiting.size())));
      }
    } else if (dice < 800) {
      cluster.pass(random.nextInt(2 * 50 / size));
      cluster.tick(id);
    } else if (dice < 940) {
      cluster.request(id, random.nextInt(size), random.nextInt(size));
    } else if (dice < 965) {
      cut.add(new Link(id, random.nextInt(size)));
    } else if (dice < 985) {
      cut.clear();
    } else if (dice < 988) {
      depose(cluster, id, random);
    } else if (dice < 991) {
      stepDown(cluster, id, random);
    } else if (cluster.runs(id)) {
      if (dice < 994) {
        cluster.crash(id);
      }
    } else {
      cluster.restart(id);
    }
  }

  /** It leaves for good, or is drained for a while. */
  private static void stepDown(ScriptedCluster cluster, int id, Random random) {
    if (!cluster.runs(id)) {
      return;
    }
    if (random.nextInt(4) == 0) {
      cluster.replica(id).leave();
    } else {
      cluster.replica(id).setWilling(random.nextInt(3) == 0);
    }
  }

  private static void depose(ScriptedCluster cluster, int id, Random random) {
    if (cluster.runs(id) && cluster.replica(id).doing() == Phase.OPERATIONAL) {
      LibraryStack stack = cluster.replica(id).agent().stack();
      cluster.replica(id).ask(Math.max(stack.asked(), stack.regency()) + 1 + random.nextInt(2));
      cluster.runWork();
    }
  }
}
