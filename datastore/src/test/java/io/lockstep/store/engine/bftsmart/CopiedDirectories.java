package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.log.disk.SimulatedDisk;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Replicas as they are, whose directories are copied, put back and emptied. */
class CopiedDirectories {
  Random random = new Random(0);
  List<ScriptedMemory.OnDisk> disks = List.of();
  private @Nullable ScriptedCluster begun;

  interface Schedule {
    void run();
  }

  /** Runs a schedule with three replicas that take part. */
  final void with(long seed, Schedule schedule) {
    with(seed, 3, schedule);
  }

  final void with(long seed, int size, Schedule schedule) {
    random = new Random(seed);
    disks = IntStream.range(0, size).mapToObj(id -> ScriptedMemory.onDisk(id, random)).toList();
    try (ScriptedCluster cluster = new ScriptedCluster(size, 1_000, disks).start()) {
      begun = cluster;
      schedule.run();
    }
  }

  final ScriptedCluster cluster() {
    return Objects.requireNonNull(begun);
  }

  /** A client that tries until it is answered. */
  final void write(int... ids) {
    int request = cluster().request(ids);
    for (int tries = 0; tries < 20 && !cluster().isAcknowledged(request); tries++) {
      cluster().advance(500);
      if (!cluster().isAcknowledged(request)) {
        request = cluster().request(ids);
      }
    }
    cluster().runUntilAcknowledged(request);
  }

  final void putBack(int id, SimulatedDisk copy) {
    disks.get(id).putBack(copy);
  }

  final void awaitRefused(int id) {
    for (int beats = 0; beats < 100 && !cluster().replica(id).refused(); beats++) {
      cluster().advance(50);
    }
    assertThat(cluster().replica(id).refused()).as("%s is refused: %s", id, cluster()).isTrue();
  }

  /** Empties the directory of a replica that ended, and lets the others refill it. */
  final void refill(int id) {
    cluster().crash(id);
    disks.get(id).wipe();
    cluster().restart(id);
    cluster().runUntilEqual();
    write(0, 1, 2);
    cluster().runUntilEqual();
    cluster().verify();
  }
}
