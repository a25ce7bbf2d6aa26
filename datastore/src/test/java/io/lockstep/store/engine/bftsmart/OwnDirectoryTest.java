package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.ReplicaStatus.Phase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Replicas whose directories are their own and the newest come up by themselves, whatever became of
 * the numbers of their starts (docs/adr/0014).
 */
@ExtendWith(IsolatedLibrary.class)
class OwnDirectoryTest extends CopiedDirectories {

  /** A peer did not hear a replica while that was refilled, and holds it to nothing of before. */
  @Test
  void refilledReplicaIsNotRefusedByAPeerThatHeardItOnlyBefore() {
    with(
        1,
        () -> {
          for (int i = 0; i < 5; i++) {
            write(0, 1, 2);
          }
          cluster().runUntilEqual();
          cluster().advance(100);
          cluster().crash(2);
          disks.get(2).wipe();
          // Replica 2 hears replica 1, which does not hear it.
          cluster().lose(sent -> sent.from() == 2 && sent.to() == 1);
          cluster().restart(2);
          cluster().advance(5_000);
          assertThat(cluster().replica(2).log.joined()).isTrue();
          cluster().crash(2);
          cluster().heal();
          cluster().restart(2);
          cluster().runUntilEqual();
          write(0, 1, 2);
          cluster().runUntilEqual();
          cluster().verify();
        });
  }

  @Test
  void replicaThatDiesBeforeAnyPeerHearsOfItsStartComesUpByItself() {
    with(
        1,
        () -> {
          write(0, 1, 2);
          for (int i = 0; i < 5; i++) {
            cluster().crash(2);
            cluster().restart(2);
            // It hears the others, takes a number, and is not heard.
            cluster().lose(sent -> sent.from() == 2);
            cluster().advance(1_500);
            assertThat(cluster().replica(0).log.start(2).number()).isEqualTo(1);
            cluster().heal();
          }
          cluster().crash(2);
          cluster().restart(2);
          cluster().runUntilEqual();
          assertThat(cluster().replica(0).log.start(2).number()).isEqualTo(7);
          write(0, 1, 2);
          cluster().runUntilEqual();
          cluster().verify();
        });
  }

  @Test
  void replicaThatDiesWhenItsStartIsKeptByOneComesUpByItself() {
    with(
        1,
        () -> {
          write(0, 1, 2);
          for (int i = 0; i < 3; i++) {
            cluster().crash(2);
            cluster().restart(2);
            // Only replica 0 hears of it, and what it answers is lost.
            cluster().lose(sent -> sent.to() == 1 || sent.to() == 2);
            cluster().advance(100);
            cluster().heal();
          }
          cluster().runUntilEqual();
          write(0, 1, 2);
          cluster().runUntilEqual();
          cluster().verify();
        });
  }

  @Test
  void allStartTogetherAlsoWithoutNumbersAsOfAnEarlierRelease() {
    with(
        1,
        () -> {
          write(0, 1, 2);
          for (int id = 0; id < 3; id++) {
            cluster().crash(id);
            disks.get(id).remove("starts");
          }
          for (int id = 0; id < 3; id++) {
            cluster().restart(id);
          }
          cluster().runUntilEqual();
          write(0, 1, 2);
          cluster().runUntilEqual();
          cluster().verify();
        });
  }

  @Test
  void replicaOfFiveComesBackWithAMajorityAndNotWithLess() {
    with(
        1,
        5,
        () -> {
          write(0, 1, 2, 3, 4);
          for (int id : new int[] {0, 1, 2, 4}) {
            cluster().crash(id);
          }
          cluster().restart(4);
          cluster().advance(5_000);
          assertThat(cluster().replica(4).doing()).isEqualTo(Phase.STARTING);
          cluster().restart(2);
          write(2, 3, 4);
          assertThat(cluster().replica(4).doing()).isEqualTo(Phase.OPERATIONAL);
        });
  }
}
