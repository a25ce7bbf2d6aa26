package io.lockstep.deploy.testbed;

import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.store.TableSpec;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.engine.bftsmart.BftSmartClient;
import io.lockstep.store.engine.bftsmart.ClientConfig;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Three replicas of a store as processes under test, without nodes. Used by one thread. */
public final class ThreeReplicas implements AutoCloseable {
  private static final String CLUSTER = "three";

  private final PortBlock ports = PortBlock.take();
  private final List<NodeProcess> replicas = new ArrayList<>();

  /** Three replicas that are not yet started. */
  public static ThreeReplicas prepare(Path directory) throws IOException {
    ThreeReplicas three = new ThreeReplicas();
    for (int number = 1; number <= 3; number++) {
      three.replicas.add(three.replica(directory, number));
    }
    return three;
  }

  /** Three replicas that are ready. */
  public static ThreeReplicas start(Path directory) throws IOException {
    ThreeReplicas three = prepare(directory);
    try {
      three.replicas.forEach(NodeProcess::start);
      three.replicas.forEach(NodeProcess::awaitReady);
      return three;
    } catch (RuntimeException | AssertionError e) {
      three.close();
      throw e;
    }
  }

  private NodeProcess replica(Path directory, int number) throws IOException {
    Path file = directory.resolve("s" + number + ".yaml");
    String text =
        """
        cluster: %s
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
            CLUSTER,
            number,
            ports.port(20),
            storePort(0),
            storePort(1),
            storePort(2),
            ports.port(21),
            admin));
    Path log = directory.resolve("s" + number + ".log");
    return new NodeProcess("s" + number, "replica", file, log, "127.0.0.1:" + admin);
  }

  /** Where clients connect. */
  public int storePort(int replica) {
    return ports.port(1 + 2 * replica);
  }

  /** The name that replicas and clients agree on. */
  public String cluster() {
    return CLUSTER;
  }

  /** The processes, by number of the replica. */
  public List<NodeProcess> all() {
    return List.copyOf(replicas);
  }

  /** A client that uses one table of values; whoever opens it closes it. */
  public BatchingStoreClient client(int id, String table) {
    List<Member> members = new ArrayList<>();
    for (int replica = 0; replica < 3; replica++) {
      members.add(new Member(replica, "127.0.0.1", storePort(replica)));
    }
    return BatchingStoreClient.open(
        BftSmartClient.connect(ClientConfig.of(CLUSTER, members, id)),
        ClientOptions.of("client " + id).withTables(Map.of(table, TableSpec.values())),
        System::nanoTime,
        System::nanoTime);
  }

  /** The ends of all logs. */
  public String logs() {
    return String.join("\n", replicas.stream().map(NodeProcess::lastLines).toList());
  }

  @Override
  public void close() {
    replicas.forEach(NodeProcess::close);
    ports.close();
  }
}
