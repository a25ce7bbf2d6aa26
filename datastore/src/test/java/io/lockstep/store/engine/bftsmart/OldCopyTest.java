package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.client.SimulationSeeds;
import io.lockstep.store.engine.ReplicaStatus.Phase;
import io.lockstep.store.log.disk.SimulatedDisk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Replicas as they are, started on old copies of their directories (docs/adr/0014): refused by
 * every peer that knows, and nothing acknowledged is undone.
 */
@ExtendWith(IsolatedLibrary.class)
class OldCopyTest extends CopiedDirectories {
  private static final int SCHEDULES = 20;
  private static final int ROUNDS = 6;

  /** Replica 2, stopped, with what it acknowledged since the copy. */
  private SimulatedDisk copyFromBeforeTheLastStart() {
    write(0, 1, 2);
    cluster().crash(2);
    SimulatedDisk copy = disks.get(2).copy();
    cluster().restart(2);
    cluster().runUntilEqual();
    write(0, 1, 2);
    cluster().runUntilEqual();
    cluster().crash(2);
    return copy;
  }

  @Test
  void copyFromBeforeTheLastStartIsRefused() {
    with(
        1,
        () -> {
          putBack(2, copyFromBeforeTheLastStart());
          cluster().restart(2);
          awaitRefused(2);
          assertThat(cluster().replica(2).halted())
              .contains("old copy", "its last start was 1", "knows of a start 2", "Move the");
          write(0, 1);
          refill(2);
          assertThat(cluster().replica(0).log.start(2).number())
              .as("above those taken")
              .isEqualTo(3);
        });
  }

  @Test
  void copyIsRefusedAlsoAfterAllWereStopped() {
    with(
        1,
        () -> {
          SimulatedDisk copy = copyFromBeforeTheLastStart();
          cluster().crash(0);
          cluster().crash(1);
          putBack(2, copy);
          for (int id = 0; id < 3; id++) {
            cluster().restart(id);
          }
          awaitRefused(2);
          write(0, 1);
          refill(2);
        });
  }

  /** The schedule in which a copy undid an acknowledged write. */
  @Test
  void copyDoesNotUndoWhatOnlyItAndAStoppedReplicaHave() {
    with(
        1,
        () -> {
          write(0, 1, 2);
          cluster().crash(2);
          SimulatedDisk copy = disks.get(2).copy();
          cluster().restart(2);
          cluster().runUntilEqual();
          cluster().lose(sent -> sent.from() == 1 || sent.to() == 1);
          int request = cluster().request(0, 1, 2);
          cluster().runUntilAcknowledged(request);
          cluster().crash(2);
          cluster().crash(0);
          cluster().heal();
          putBack(2, copy);
          cluster().restart(2);
          awaitRefused(2);
          int alone = cluster().request(1, 2);
          cluster().advance(3_000);
          assertThat(cluster().isAcknowledged(alone)).isFalse();
          cluster().restart(0);
          write(0, 1);
          refill(2);
        });
  }

  /** Starts of a copy that hears of no peer, or is refused, make no number of it. */
  @Test
  void copyIsRefusedHoweverOftenItWasStartedBefore() {
    with(
        1,
        () -> {
          SimulatedDisk copy = copyFromBeforeTheLastStart();
          cluster().crash(0);
          cluster().crash(1);
          putBack(2, copy);
          for (int i = 0; i < 3; i++) {
            cluster().restart(2);
            cluster().advance(2_000);
            cluster().crash(2);
          }
          cluster().restart(0);
          cluster().restart(1);
          for (int i = 0; i < 3; i++) {
            cluster().restart(2);
            awaitRefused(2);
            cluster().crash(2);
          }
          cluster().crash(0);
          cluster().crash(1);
          for (int id = 0; id < 3; id++) {
            cluster().restart(id);
          }
          awaitRefused(2);
          write(0, 1);
          refill(2);
        });
  }

  /** A copy takes part with one that knows of nothing; another start does not hide that. */
  @Test
  void copyThatTookPartIsRefusedByThePeerThatKnowsAlsoAfterAnotherStart() {
    with(
        1,
        () -> {
          write(0, 1, 2);
          cluster().crash(2);
          SimulatedDisk copy = disks.get(2).copy();
          cluster().crash(1);
          cluster().restart(2);
          write(0, 2);
          cluster().crash(2);
          cluster().crash(0);
          putBack(2, copy);
          cluster().restart(1);
          for (int i = 0; i < 3; i++) {
            cluster().restart(2);
            cluster().advance(3_000);
            assertThat(cluster().replica(2).doing()).isEqualTo(Phase.OPERATIONAL);
            cluster().crash(2);
          }
          cluster().restart(0);
          cluster().restart(2);
          awaitRefused(2);
        });
  }

  /** Replica 1 hears replica 2 in its first start and not in its second one. */
  @Test
  void peerThatWasCutOffFromAReplicaLearnsOfItsStartFromAnother() {
    with(
        1,
        () -> {
          write(0, 1, 2);
          cluster().crash(2);
          SimulatedDisk copy = disks.get(2).copy();
          cluster().lose(sent -> sent.from() + sent.to() == 3);
          cluster().restart(2);
          write(0, 2);
          cluster().advance(2_000);
          write(0, 2);
          cluster().crash(2);
          cluster().crash(0);
          cluster().heal();
          putBack(2, copy);
          cluster().restart(2);
          awaitRefused(2);
          cluster().restart(0);
          write(0, 1);
          refill(2);
        });
  }

  @Test
  void copyFromWithinTheRunIsRefusedWhileAPeerLivesThatSawFurther() {
    with(
        1,
        () -> {
          write(0, 1, 2);
          cluster().runUntilEqual();
          SimulatedDisk copy = disks.get(2).copy();
          for (int i = 0; i < 5; i++) {
            write(0, 1, 2);
          }
          cluster().advance(100);
          cluster().crash(2);
          putBack(2, copy);
          cluster().restart(2);
          awaitRefused(2);
          assertThat(cluster().replica(2).halted())
              .contains("old copy", "its log reaches instance", "knows that its start 1 reached");
          write(0, 1);
          refill(2);
        });
  }

  @Test
  void directoryThatLostItsNumberIsAnOldCopy() {
    with(
        1,
        () -> {
          write(0, 1, 2);
          cluster().crash(1);
          cluster().restart(1);
          cluster().runUntilEqual();
          cluster().crash(1);
          disks.get(1).remove("starts");
          cluster().restart(1);
          awaitRefused(1);
          assertThat(cluster().replica(1).halted())
              .contains("its last start was 0", "knows of a start 2");
          refill(1);
        });
  }

  @Test
  void replicaThatDidNotHearOfAStartLearnsOfItFromAnother() {
    with(
        1,
        () -> {
          write(0, 1, 2);
          cluster().crash(2);
          SimulatedDisk copy = disks.get(2).copy();
          cluster().crash(1);
          cluster().restart(2);
          write(0, 2);
          cluster().crash(2);
          cluster().restart(1);
          cluster().advance(200);
          cluster().crash(0);
          putBack(2, copy);
          cluster().restart(2);
          awaitRefused(2);
          cluster().restart(0);
          write(0, 1);
          refill(2);
        });
  }

  @Test
  void copyAmongFiveIsRefusedByTheTwoWhoKnowAndAreLeft() {
    with(
        1,
        5,
        () -> {
          write(0, 1, 2, 3, 4);
          cluster().crash(4);
          SimulatedDisk copy = disks.get(4).copy();
          cluster().crash(0);
          cluster().restart(4);
          write(1, 2, 3, 4);
          cluster().advance(200);
          cluster().crash(4);
          cluster().crash(1);
          cluster().restart(0);
          putBack(4, copy);
          cluster().restart(4);
          awaitRefused(4);
          write(0, 2, 3);
        });
  }

  @Test
  void nothingAcknowledgedIsUndoneByCopiesThatAPeerKnowsOf() {
    int[] refused = {0};
    SimulationSeeds.forEach(SCHEDULES, seed -> with(seed, () -> refused[0] += schedule()));
    if (!SimulationSeeds.chosen()) {
      assertThat(refused[0]).as("copies that were refused").isGreaterThan(SCHEDULES);
    }
  }

  /** Copies of stopped and running replicas, put back when all others know of a later start. */
  private int schedule() {
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
      int id = random.nextInt(3);
      int other = (id + 1 + random.nextInt(2)) % 3;
      int third = 3 - id - other;
      work();
      if (random.nextBoolean()) {
        cluster().crash(id);
        work();
      }
      SimulatedDisk copy = disks.get(id).copy();
      if (cluster().runs(id)) {
        cluster().crash(id);
      }
      cluster().restart(id);
      cluster().runUntilEqual();
      // All hear of a start later than the copy's.
      cluster().advance(150);
      work();
      cluster().lose(sent -> sent.from() == other || sent.to() == other);
      work();
      cluster().crash(id);
      boolean alone = random.nextBoolean();
      if (alone) {
        cluster().crash(third);
      }
      if (random.nextBoolean()) {
        cluster().crash(other);
        cluster().restart(other);
      }
      cluster().heal();
      putBack(id, copy);
      cluster().restart(id);
      awaitRefused(id);
      refused++;
      work();
      if (alone) {
        cluster().restart(third);
      }
      refill(id);
      assertThat(cluster().replica(id).doing()).isEqualTo(Phase.OPERATIONAL);
    }
    return refused;
  }

  /** Requests for a while, answered or not. */
  private void work() {
    for (int i = random.nextInt(8); i > 0; i--) {
      cluster().request(0, 1, 2);
      cluster().advance(random.nextInt(60));
    }
  }
}
