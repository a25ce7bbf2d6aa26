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
  private final Path directory;

  private ThreeReplicas(Path directory) {
    this.directory = directory;
  }

  /** Three replicas that are not yet started. */
  public static ThreeReplicas prepare(Path directory) throws IOException {
    ThreeReplicas three = new ThreeReplicas(directory);
    for (int number = 1; number <= 3; number++) {
      three.replicas.add(three.replica(number));
    }
    return three;
  }

  /** Three replicas that are ready. */
  public static ThreeReplicas start(Path directory) throws IOException {
    ThreeReplicas three = prepare(directory);
    try {
      three.startAll();
      return three;
    } catch (RuntimeException | AssertionError e) {
      three.close();
      throw e;
    }
  }

  /** One that is not yet started. */
  private NodeProcess replica(int number) throws IOException {
    configure(number, "");
    return new NodeProcess(
        name(number),
        "replica",
        configuration(number),
        directory.resolve(name(number) + ".log"),
        "127.0.0.1:" + adminPort(number));
  }

  /**
   * Writes a replica's configuration anew; it holds from its next start on.
   *
   * @param number 1 to 3
   * @param more lines behind those that all have in common
   */
  public void configure(int number, String more) throws IOException {
    String text =
        """
        cluster: %s
        node: %s
        members: [{id: n1, host: 127.0.0.1, nodePort: %d}]
        replicas:
          - {id: s1, host: 127.0.0.1, storePort: %d}
          - {id: s2, host: 127.0.0.1, storePort: %d}
          - {id: s3, host: 127.0.0.1, storePort: %d}
        openflow: {host: 127.0.0.1, port: %d}
        admin: {port: %d}
        %s
        """;
    Files.writeString(
        configuration(number),
        text.formatted(
            CLUSTER,
            name(number),
            ports.port(20),
            storePort(0),
            storePort(1),
            storePort(2),
            ports.port(21),
            adminPort(number),
            more));
  }

  private static String name(int number) {
    return "s" + number;
  }

  private int adminPort(int number) {
    return ports.port(10 + number);
  }

  private Path configuration(int number) {
    return directory.resolve(name(number) + ".yaml");
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

  /** Starts all and waits until they are ready. */
  public void startAll() {
    replicas.forEach(NodeProcess::start);
    replicas.forEach(NodeProcess::awaitReady);
  }

  /** Kills all at once ({@code kill -9}) and starts them again. */
  public void restartAll() {
    replicas.forEach(NodeProcess::kill);
    startAll();
  }

  /** A client that uses one table of values; whoever opens it closes it. */
  public BatchingStoreClient client(int id, String table) {
    return client(
        id, ClientOptions.of("client " + id).withTables(Map.of(table, TableSpec.values())));
  }

  /** A client; whoever opens it closes it. */
  public BatchingStoreClient client(int id, ClientOptions options) {
    return BatchingStoreClient.open(engineClient(id), options, System::nanoTime, System::nanoTime);
  }

  /** What carries a client's requests, as bytes; whoever opens it closes it. */
  public BftSmartClient engineClient(int id) {
    List<Member> members = new ArrayList<>();
    for (int replica = 0; replica < 3; replica++) {
      members.add(new Member(replica, "127.0.0.1", storePort(replica)));
    }
    return BftSmartClient.connect(ClientConfig.of(CLUSTER, members, id));
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
