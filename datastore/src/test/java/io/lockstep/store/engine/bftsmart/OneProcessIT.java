package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.ReplicaStatus;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.log.MemoryLog;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three replicas in this process: convenient, and a way to look at their status closely. */
@Timeout(600)
class OneProcessIT {
  private static final String CLUSTER = "one-process";

  @Test
  void ordersQuietlyAndTellsTheLossOfItsQuorum() throws Exception {
    List<Member> members = ReplicaPorts.members(3);
    List<BftSmartReplica> replicas = new ArrayList<>();
    List<String> halted = new ArrayList<>();
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try (BftSmartClient patient =
            BftSmartClient.connect(new ClientConfig(CLUSTER, members, 1, 16, 1000, 200, 60_000));
        BftSmartClient hasty =
            BftSmartClient.connect(new ClientConfig(CLUSTER, members, 2, 16, 1000, 200, 2000))) {
      for (int id = 0; id < 3; id++) {
        replicas.add(
            BftSmartReplica.start(
                ReplicaConfig.of(CLUSTER, id, members),
                new RecordingService(),
                onFailure -> new MemoryLog(MemoryLog.Bounds.STANDARD),
                halted::add));
      }
      byte[] request = ByteBuffer.allocate(4).putInt(42).array();
      Await.until(
          Duration.ofSeconds(60),
          () -> replicas.stream().map(BftSmartReplica::status).toList().toString(),
          () -> replicas.stream().allMatch(replica -> replica.status().quorum()));
      assertThat(patient.submit(request).get(60, TimeUnit.SECONDS)).isEqualTo(request);
      // Two make a quorum; the third may be heard later.
      Await.until(
          Duration.ofSeconds(60),
          () -> replicas.get(0).status().toString(),
          () -> replicas.get(0).status().reachable().equals(List.of(0, 1, 2)));

      replicas.get(1).close();
      replicas.get(2).close();
      long begin = System.nanoTime();
      Await.until(
          Duration.ofSeconds(60),
          () -> replicas.get(0).status().toString(),
          () -> !replicas.get(0).status().quorum());
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      before.println("quorum loss told after " + millis + " ms");
      assertThat(replicas.get(1).status().phase()).isEqualTo(ReplicaStatus.Phase.HALTED);
      assertThat(hasty.submit(request))
          .failsWithin(60, TimeUnit.SECONDS)
          .withThrowableThat()
          .withCauseInstanceOf(TimeoutException.class);
      assertThat(halted).isEmpty();
    } finally {
      System.setOut(before);
      replicas.forEach(BftSmartReplica::close);
    }
    // Only the log's own lines, which begin with the time.
    assertThat(printed.toString(StandardCharsets.UTF_8).lines())
        .allMatch(line -> line.matches("\\d\\d:\\d\\d:.*"));
  }
}
