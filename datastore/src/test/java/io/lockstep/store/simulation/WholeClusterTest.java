package io.lockstep.store.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.client.SimulationSeeds;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.SnapshotBytes;
import io.lockstep.store.log.Decision;
import io.lockstep.store.simulation.SimulatedReplica.Phase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clients, watches, state machines, snapshots and disk logs together, while replicas crash, lose
 * power, lose their disks and each other: no acknowledged write is lost, none takes effect twice,
 * and all replicas tell one story.
 */
class WholeClusterTest {
  private static final int SCHEDULES = 2_000;

  /** Within so much all must be well again. */
  private static final int SETTLED_MILLIS = 8_000;

  private static final int LOOK_MILLIS = 50;

  /** Longer than any message is on its way that does not come late. */
  private static final int IN_FLIGHT_MILLIS = 400;

  /** Within so many seeds each bug must be found. */
  private static final int SEEDS_PER_MUTATION = 400;

  @Test
  void acknowledgedWritesSurviveWhateverHappens() {
    Map<String, Integer> seen = new ConcurrentSkipListMap<>();
    SimulationSeeds.forEachAtOnce(
        SCHEDULES,
        seed -> {
          Map<String, Integer> here = new TreeMap<>();
          new Schedule(seed, Mutation.NONE).run(here);
          here.forEach((what, count) -> seen.merge(what, count, Integer::sum));
        });
    if (!SimulationSeeds.chosen()) {
      assertThat(seen)
          .containsKeys(
              "Counter",
              "Rejected",
              "Unknown",
              "watched",
              "read",
              "early reply",
              "snapshot",
              "taken back",
              "start over",
              "halt",
              "leader change",
              "refilled",
              "rejoined",
              "began",
              "began again",
              "asked",
              "stepped back",
              "waits",
              "forgotten waits",
              "disk failed");
    }
  }

  @ParameterizedTest
  @EnumSource(value = Mutation.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void bugsPutInOnPurposeAreFound(Mutation mutation) {
    int found = 0;
    for (long seed = 1; seed <= SEEDS_PER_MUTATION && found == 0; seed++) {
      try {
        new Schedule(seed, mutation).run(new TreeMap<>());
      } catch (AssertionError caught) {
        found++;
      }
    }
    assertThat(found).as("%s found within %s seeds", mutation, SEEDS_PER_MUTATION).isEqualTo(1);
  }

  private static final class Schedule {
    private final Random random;
    private final SimulatedCluster cluster;
    private final List<SimulatedWorker> workers = new ArrayList<>();

    Schedule(long seed, Mutation mutation) {
      random = new Random(seed);
      cluster = new SimulatedCluster(random, mutation);
      AtomicLong highest = new AtomicLong();
      for (int i = 0; i < 2; i++) {
        workers.add(new SimulatedWorker("w" + i, cluster, random, highest));
      }
    }

    void run(Map<String, Integer> seen) {
      cluster.replicas().forEach(SimulatedReplica::start);
      cluster.loop().run(200);
      for (int step = 0; step < 40; step++) {
        workers.forEach(worker -> worker.submit(random.nextInt(10)));
        workers.forEach(worker -> worker.connection().setCut(random.nextInt(15) == 0));
        harm();
        cluster.loop().run(random.nextInt(200));
      }
      boolean whole = random.nextInt(10) == 0;
      cluster.heal(whole);
      workers.forEach(worker -> worker.connection().setCut(false));
      if (whole) {
        cluster.loop().run(SETTLED_MILLIS);
      } else {
        settle(SETTLED_MILLIS);
      }
      cluster.quieten();
      cluster.loop().run(1_000);
      check(seen);
    }

    /** Until all are well, answered, and have seen what came of it; at most so long. */
    private void settle(int mostMillis) {
      long target = Long.MAX_VALUE;
      int idleMillis = 0;
      for (int millis = 0; millis < mostMillis; millis += LOOK_MILLIS) {
        cluster.loop().run(LOOK_MILLIS);
        boolean idle = workers.stream().allMatch(SimulatedWorker::idle) && cluster.calm();
        idleMillis = idle ? idleMillis + LOOK_MILLIS : 0;
        if (idleMillis >= IN_FLIGHT_MILLIS && target == Long.MAX_VALUE) {
          target = cluster.replicas().get(0).machine().index();
        }
        long seen = workers.stream().mapToLong(SimulatedWorker::watchedUpTo).min().orElse(0);
        if (idle && seen >= target) {
          return;
        }
      }
    }

    private void harm() {
      SimulatedReplica one = cluster.replicas().get(random.nextInt(SimulatedCluster.REPLICAS));
      SimulatedReplica other = cluster.replicas().get(random.nextInt(SimulatedCluster.REPLICAS));
      for (SimulatedReplica replica : cluster.replicas()) {
        if (replica.phase() == Phase.DOWN && random.nextInt(3) == 0) {
          replica.start();
        }
      }
      switch (random.nextInt(13)) {
        case 0, 1 -> one.crash(random.nextBoolean());
        case 2 -> {
          if (random.nextInt(3) == 0) {
            // In the midst of what was submitted just now.
            cluster.after(
                random.nextInt(40),
                () -> cluster.replicas().forEach(replica -> replica.crash(true)));
          }
        }
        case 3, 4 -> cluster.setCut(one.id, other.id, one != other);
        case 5 -> cluster.setCut(one.id, other.id, false);
        case 6 -> wipe(one);
        case 7, 8 -> one.beginSnapshot();
        case 9 -> cluster.changeClock(random.nextInt(4_000) - 2_000);
        case 10, 11 -> failDisk(one);
        default -> {}
      }
    }

    /** One disk at a time: with two gone, what only they had is gone. */
    private void wipe(SimulatedReplica replica) {
      boolean othersHaveTheirs =
          cluster.replicas().stream()
              .filter(other -> other != replica)
              .allMatch(other -> other.phase() != Phase.DOWN && other.log().joined());
      if (othersHaveTheirs) {
        replica.wipe();
      }
    }

    private void failDisk(SimulatedReplica replica) {
      int[] left = {random.nextInt(8)};
      replica
          .disk()
          .setFaults(
              (operation, file) -> {
                if (left[0]-- <= 0) {
                  throw new IOException("injected failure");
                }
              });
    }

    private void check(Map<String, Integer> seen) {
      for (SimulatedReplica replica : cluster.replicas()) {
        assertThat(replica.phase()).isEqualTo(Phase.ACTIVE);
      }
      Decision last = cluster.replicas().get(0).end();
      StoreStateMachine all = new StoreStateMachine(List.of());
      for (Decision decision : cluster.historyOf(last)) {
        Batches batch = Batches.decode(decision.value());
        all.apply(decision.instance(), batch.timeMillis(), batch.contents());
      }
      byte[] state = SnapshotBytes.of(all);
      for (SimulatedReplica replica : cluster.replicas()) {
        assertThat(SnapshotBytes.of(replica.machine()))
            .as("replica %s", replica.id)
            .isEqualTo(state);
      }
      StoreReader reader = new StoreReader(all);
      workers.forEach(worker -> worker.check(reader, seen));
      cluster.seen().forEach((what, count) -> seen.merge(what, count, Integer::sum));
    }
  }
}
