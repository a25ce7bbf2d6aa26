package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Faults of real processes under load. Every test ends with all replicas equal and every
 * acknowledged request found on each of them.
 */
@Timeout(600)
class FaultsIT {
  private static final int CONCURRENCY = 64;

  @RegisterExtension static final SharedCluster shared = new SharedCluster(ReplicaCluster::new);

  private ReplicaCluster cluster;
  private Load load;

  @BeforeEach
  void takeShared() {
    cluster = shared.cluster();
    load = shared.load();
  }

  private void drainAndVerify() throws IOException {
    load.drain();
    cluster.verify(load.acknowledged());
  }

  private void assertShortStall(String after) {
    Await.took("longest stall after " + after, load.longestGapMillis(), Await.LONGEST_STALL_MILLIS);
  }

  private static void assertBack(String what, long millis) {
    Await.took(what, millis, 30_000);
  }

  private static void until(String otherwise, BooleanSupplier condition) {
    Await.until(Duration.ofSeconds(60), () -> otherwise, condition);
  }

  @Test
  void hazard1KilledFollowerDoesNotSlowTheOthers() throws Exception {
    load.run(CONCURRENCY).awaitMore(5_000);
    int follower = cluster.follower();
    load.resetGap();
    cluster.kill(follower);
    load.awaitMore(20_000);
    // Were each request to wait for the dead replica, so many would take far too long.
    assertShortStall("a follower was killed");
    cluster.start(follower);
    assertBack("follower takes part again", cluster.awaitOperational(follower));
    load.awaitMore(5_000);
    drainAndVerify();
  }

  @Test
  void killedLeaderLosesNothingAcknowledged() throws Exception {
    load.run(CONCURRENCY).awaitMore(5_000);
    for (int round = 0; round < 3; round++) {
      int leader = cluster.leader();
      load.resetGap();
      cluster.kill(leader);
      load.awaitMore(2_000);
      assertShortStall("the leader was killed");
      cluster.start(leader);
      assertBack("old leader takes part again", cluster.awaitOperational(leader));
      load.awaitMore(2_000);
    }
    drainAndVerify();
  }

  @Test
  void hazard5TwoOfThreeRestartEmptyBesideTheSurvivor() throws Exception {
    load.run(CONCURRENCY).awaitMore(5_000);
    int survivor = cluster.leader();
    int first = (survivor + 1) % ReplicaCluster.SIZE;
    int second = (survivor + 2) % ReplicaCluster.SIZE;
    cluster.kill(first, second);
    long begin = System.nanoTime();
    until("the survivor still sees a quorum", () -> !cluster.status(survivor).quorum());
    Await.took(
        "quorum loss seen",
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin),
        Await.LONGEST_STALL_MILLIS);
    long lost = load.count();
    until("the survivor goes on alone", () -> load.longestGapMillis() > 1_000);
    assertThat(load.count() - lost)
        .as("acknowledged without a quorum")
        .isLessThan(CONCURRENCY + 1L);
    cluster.start(first, second);
    assertBack("both refilled", cluster.awaitAllOperational());
    load.awaitMore(5_000);
    drainAndVerify();
  }

  @Test
  void hazard14PausedLeaderComesBackWithoutHarm() throws Exception {
    load.run(CONCURRENCY).awaitMore(5_000);
    for (int round = 0; round < 2; round++) {
      int leader = cluster.leader();
      load.resetGap();
      cluster.signal(leader, "STOP");
      load.awaitMore(5_000);
      assertShortStall("the leader was paused");
      until("no other leader", () -> cluster.follows((leader + 1) % ReplicaCluster.SIZE, leader));
      cluster.signal(leader, "CONT");
      load.awaitMore(5_000);
      cluster.awaitAllOperational();
    }
    drainAndVerify();
  }

  @Test
  void hazard3IdleLeaderKilled() throws Exception {
    load.run(CONCURRENCY).awaitMore(1_000);
    for (int round = 0; round < 3; round++) {
      load.drain();
      int leader = cluster.leader();
      int other = (leader + 1) % ReplicaCluster.SIZE;
      cluster.kill(leader);
      until("no new leader while idle", () -> cluster.follows(other, leader));
      load.run(CONCURRENCY).awaitMore(1_000);
      assertShortStall("an idle leader change");
      cluster.start(leader);
      cluster.awaitAllOperational();
      load.awaitMore(1_000);
    }
    drainAndVerify();
  }

  /**
   * The seed and more rounds can be given with -Dlockstep.fault.seed and -Dlockstep.fault.rounds.
   */
  @Test
  void randomFaults() throws Exception {
    long seed = Long.getLong("lockstep.fault.seed", 20_261_120L);
    int rounds = Integer.getInteger("lockstep.fault.rounds", 6);
    System.out.println("random faults with seed " + seed);
    Random random = new Random(seed);
    load.run(CONCURRENCY).awaitMore(1_000);
    for (int round = 0; round < rounds; round++) {
      int one = random.nextInt(ReplicaCluster.SIZE);
      int other = (one + 1 + random.nextInt(2)) % ReplicaCluster.SIZE;
      int kind = random.nextInt(3);
      System.out.println(
          "round " + round + ": fault " + kind + " of replicas " + one + ", " + other);
      if (kind == 0) {
        cluster.kill(one);
        load.awaitMore(random.nextInt(2_000));
        cluster.start(one);
      } else if (kind == 1) {
        cluster.signal(one, "STOP");
        load.awaitMore(random.nextInt(5_000));
        cluster.signal(one, "CONT");
      } else {
        cluster.kill(one);
        load.awaitMore(random.nextInt(100));
        cluster.kill(other);
        cluster.start(other, one);
        cluster.awaitAllOperational();
      }
      load.awaitMore(random.nextInt(3_000));
      cluster.awaitAllOperational();
    }
    drainAndVerify();
  }

  @Test
  void hazard7GarbageOnBothPortsLeavesTheReplicaRunning() throws Exception {
    load.run(CONCURRENCY).awaitMore(1_000);
    Random random = new Random(11);
    Member member = cluster.members().get(cluster.leader());
    for (int port : new int[] {member.port(), member.port() + 1}) {
      for (byte[] garbage :
          new byte[][] {
            "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
            new byte[] {-1, -1, -1, -1, 0, 0},
            new byte[] {0, 0, 0, 20, 1, 2, 3},
            bytes(random, 100_000)
          }) {
        try (Socket socket = new Socket(member.host(), port);
            OutputStream out = socket.getOutputStream()) {
          out.write(garbage);
          out.flush();
        } catch (IOException closedByTheReplica) {
          // That is what it should do.
        }
      }
    }
    try (Socket silent = new Socket(member.host(), member.port() + 1)) {
      assertThat(silent.isConnected()).isTrue();
      load.awaitMore(5_000);
      int follower = cluster.follower();
      cluster.kill(follower);
      cluster.start(follower);
      cluster.awaitOperational(follower);
      load.awaitMore(1_000);
    }
    assertThat(cluster.isAlive(member.id())).isTrue();
    drainAndVerify();
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
