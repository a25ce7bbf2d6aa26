package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.deploy.testbed.NodeProcess;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.Limits;
import io.lockstep.store.engine.bftsmart.BftSmartClient;
import io.lockstep.store.engine.bftsmart.ClientConfig;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replies that together are larger than the heap of a replica, which is the default one: they are
 * made where they are sent, so they cost the replicas neither their lives nor their restart.
 */
class LargeRepliesIT {
  private static final int READERS = 300;
  private static final int DEADLINE_SECONDS = 120;
  private static final Bytes KEY = Bytes.utf8("k");

  @TempDir private Path directory;

  private NodeProcess replica(PortBlock ports, int number) throws IOException {
    Path file = directory.resolve("s" + number + ".yaml");
    String text =
        """
        cluster: large
        node: s%d
        members: [{id: n1, host: 127.0.0.1, nodePort: %d}]
        replicas:
          - {id: s1, host: 127.0.0.1, storePort: %d}
          - {id: s2, host: 127.0.0.1, storePort: %d}
          - {id: s3, host: 127.0.0.1, storePort: %d}
        openflow: {host: 127.0.0.1, port: %d}
        admin: {port: %d}
        """;
    int admin = ports.port(10 + number);
    Files.writeString(
        file,
        text.formatted(
            number,
            ports.port(20),
            ports.port(1),
            ports.port(3),
            ports.port(5),
            ports.port(21),
            admin));
    Path log = directory.resolve("s" + number + ".log");
    return new NodeProcess("s" + number, "replica", file, log, "127.0.0.1:" + admin);
  }

  private static BatchingStoreClient client(PortBlock ports) {
    List<Member> members = new ArrayList<>();
    for (int id = 0; id < 3; id++) {
      members.add(new Member(id, "127.0.0.1", ports.port(1 + 2 * id)));
    }
    return BatchingStoreClient.open(
        BftSmartClient.connect(ClientConfig.of("large", members, 77)),
        ClientOptions.of("reader").withTables(Map.of("test.large", TableSpec.values())),
        System::nanoTime,
        System::nanoTime);
  }

  @Test
  void manyReadsOfTheLargestValueAtOnceHarmNoReplicaAndNoRestart() throws Exception {
    List<NodeProcess> replicas = new ArrayList<>();
    try (PortBlock ports = PortBlock.take()) {
      for (int number = 1; number <= 3; number++) {
        replicas.add(replica(ports, number));
      }
      replicas.forEach(NodeProcess::start);
      replicas.forEach(NodeProcess::awaitReady);
      Bytes value = Bytes.wrap(new byte[Limits.VALUE_BYTES]);
      try (BatchingStoreClient client = client(ports)) {
        Command put = new Command.Put("test.large", KEY, value);
        assertThat(client.submit(put).get(DEADLINE_SECONDS, TimeUnit.SECONDS))
            .isInstanceOf(Reply.Applied.class);
        List<CompletableFuture<Reply>> reads = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
          reads.add(client.submit(new Command.Get("test.large", KEY)));
        }
        int found = 0;
        for (CompletableFuture<Reply> read : reads) {
          Reply reply = read.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
          // On a slow machine some may wait longer than the client does; none is answered wrongly.
          if (reply instanceof Reply.Found one) {
            assertThat(one.value()).isEqualTo(value);
            found++;
          } else {
            assertThat(reply).isInstanceOfAny(Reply.Unknown.class, Reply.Rejected.class);
          }
        }
        assertThat(found).isPositive();
        System.out.println(found + " of " + READERS + " reads were answered in time");
      }
      assertThat(replicas).allMatch(NodeProcess::running);
      for (NodeProcess replica : replicas) {
        assertThat(replica.logLines()).noneMatch(line -> line.contains("OutOfMemoryError"));
      }
      for (NodeProcess replica : replicas) {
        replica.kill();
      }
      replicas.forEach(NodeProcess::start);
      replicas.forEach(NodeProcess::awaitReady);
      try (BatchingStoreClient client = client(ports)) {
        assertThat(
                client
                    .submit(new Command.Get("test.large", KEY))
                    .get(DEADLINE_SECONDS, TimeUnit.SECONDS))
            .isInstanceOfSatisfying(
                Reply.Found.class, kept -> assertThat(kept.value()).isEqualTo(value));
      }
    } finally {
      replicas.forEach(NodeProcess::close);
    }
  }
}
