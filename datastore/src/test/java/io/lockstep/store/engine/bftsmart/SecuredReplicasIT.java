package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.keys.KeyFiles;
import io.lockstep.keys.LinkKeys;
import io.lockstep.keys.PeerRole;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.log.MemoryLog;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three replicas in this process that speak TLS with each other and with clients. */
@Timeout(600)
class SecuredReplicasIT {
  private static final String CLUSTER = "secured";

  @TempDir private Path temp;

  @Test
  void theyOrderRenewTheirKeysWhileTheyRunAndShutOutOneThatIsRevoked() throws Exception {
    TestKeys authority = new TestKeys(temp.resolve("pki"), CLUSTER);
    List<Member> members = TestKeys.named(ReplicaPorts.members(3));
    List<LinkKeys> keys = new ArrayList<>();
    List<BftSmartReplica> replicas = new ArrayList<>();
    List<String> halted = new ArrayList<>();
    KeyFiles files = authority.issue(PeerRole.NODE, "n1");
    try (BftSmartClient client =
        BftSmartClient.connect(
            new ClientConfig(CLUSTER, members, 1, 16, 100_000, 200, 60_000)
                .withKeys(LinkKeys.open(files, InstantSource.system())))) {
      for (int id = 0; id < 3; id++) {
        keys.add(authority.replica(id));
        replicas.add(
            BftSmartReplica.start(
                ReplicaConfig.of(CLUSTER, id, members).withKeys(keys.get(id)),
                new RecordingService(),
                onFailure -> new MemoryLog(MemoryLog.Bounds.STANDARD),
                halted::add));
      }
      awaitReached(replicas, List.of(0, 1, 2));
      for (int i = 1; i <= 200; i++) {
        byte[] request = ByteBuffer.allocate(4).putInt(i).array();
        assertThat(client.submit(request).get(60, TimeUnit.SECONDS)).isEqualTo(request);
      }
      authority.renew("r1");
      keys.get(1).look();
      assertThat(keys.get(1).refusals().values()).allMatch(count -> count == 0);
      authority.revoke("r2");
      keys.get(0).look();
      keys.get(1).look();
      awaitReached(replicas.subList(0, 2), List.of(0, 1));
      byte[] request = ByteBuffer.allocate(4).putInt(201).array();
      assertThat(client.submit(request).get(60, TimeUnit.SECONDS)).isEqualTo(request);
      // A new key of the same name: it dials with it, and is back.
      authority.renew("r2");
      keys.forEach(LinkKeys::look);
      awaitReached(replicas, List.of(0, 1, 2));
      // r2 dialled again and again meanwhile.
      assertThat(replicas.get(0).measures().refusedConnections().get("replica")).isPositive();
      assertThat(halted).isEmpty();
    } finally {
      replicas.forEach(BftSmartReplica::close);
    }
  }

  private static void awaitReached(List<BftSmartReplica> replicas, List<Integer> ids) {
    Await.until(
        Duration.ofSeconds(60),
        () -> replicas.stream().map(BftSmartReplica::status).toList().toString(),
        () ->
            replicas.stream()
                .allMatch(one -> one.status().quorum() && one.status().reachable().equals(ids)));
  }
}
