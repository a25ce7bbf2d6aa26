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
 * killed, machines lose power with what was not synced, one by one and all at once. What is
 * acknowledged is never lost, and in the end all agree.
 */
@ExtendWith(IsolatedLibrary.class)
class RandomScheduleTest {
  private static final int SCHEDULES = 20;
  private static final int STEPS = 3_000;

  private final Set<Link> cut = new HashSet<>();

  private int powerLosses;

  @Test
  void nothingAcknowledgedIsLost() {
    SimulationSeeds.forEach(SCHEDULES, seed -> schedule(new Random(seed), false));
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
    try (ScriptedCluster cluster =
        disks
            ? ScriptedCluster.onDisks(size, 100, new Random(random.nextLong()))
            : new ScriptedCluster(size, 100)) {
      cluster.start();
      cluster.lose(sent -> cut.contains(new Link(sent.from(), sent.to())));
      for (int step = 0; step < STEPS; step++) {
        step(cluster, size, random);
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
