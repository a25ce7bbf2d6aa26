package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.core.node.CoreTables;
import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.deploy.config.ConfiguredStore;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.ClusterProcesses;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.DeviceTables;
import io.lockstep.deploy.testbed.NodeProcess;
import io.lockstep.store.Bytes;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.engine.bftsmart.BftSmartClient;
import io.lockstep.store.engine.bftsmart.ClientConfig;
import io.lockstep.store.typed.StoreAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Devices come, move, fall silent and are forgotten in two domains, while nodes are killed and come
 * back. A client from outside reads the records and their indexes in one operation again and again:
 * they always agree. {@code -Dlockstep.devices.seconds=600} runs for ten minutes.
 */
@Tag("alone")
class DeviceIndexesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final DomainPlan LEFT = new DomainPlan("left", List.of(1L, 2L), 0);
  private static final DomainPlan RIGHT = new DomainPlan("right", List.of(3L, 4L), 1);
  private static final long SECONDS = Long.getLong("lockstep.devices.seconds", 20);

  /** From one kill of a node to the next. */
  private static final long KILL_SECONDS = 10;

  /** Addresses that hosts send with besides their own. */
  private static final int STRANGERS = 200;

  private final Random random = new Random(Long.getLong("lockstep.devices.seed", 1));

  /** Places at which each device was seen, as the store had them. */
  private final Map<Bytes, Set<Bytes>> places = new HashMap<>();

  private int reads;
  private int unanswered;
  private boolean expired;
  private int freePort = 100;

  @TempDir private Path directory;

  @Test
  void indexesAlwaysAgreeWithTheRecordsOfDevices() throws Exception {
    try (ClusterProcesses cluster =
        ClusterProcesses.prepare(
            directory,
            List.of(LEFT, RIGHT),
            "timeouts: {hostSilenceMillis: 3000, leaseMillis: 2000}\n")) {
      cluster.startAll();
      cluster.awaitReady();
      StoreAddress address = ConfiguredStore.address(cluster.plan().configFile(0));
      try (EmulatedNetwork network =
              EmulatedNetwork.start(Topologies.ring(4, 2), controllers(cluster));
          BatchingStoreClient client = client(address)) {
        cluster.awaitPreferred(LEFT);
        cluster.awaitPreferred(RIGHT);
        Await.until(
            "hosts are known",
            PATIENCE,
            () -> {
              network.hosts().forEach(EmulatedHost::announce);
              return look(client).places().size() >= 4;
            },
            cluster::logs);
        disturb(cluster, network, client);
        cluster.awaitReady();
        long moved = places.values().stream().filter(all -> all.size() > 1).count();
        System.out.printf(
            "%d reads, %d without an answer, %d devices, %d of them moved%n",
            reads, unanswered, places.size(), moved);
        assertThat(reads).isGreaterThan(50);
        assertThat(places).hasSizeGreaterThan(100);
        assertThat(moved).isPositive();
        Await.until(
            "silent devices are forgotten",
            PATIENCE,
            () -> look(client).places().size() <= 8,
            cluster::logs);
        assertThat(expired).isTrue();
        everyNodeShowsTheSame(cluster, network);
      }
    }
  }

  /** Joins, moves and kills, one after the other, with a look after each step. */
  private void disturb(
      ClusterProcesses cluster, EmulatedNetwork network, BatchingStoreClient client)
      throws Exception {
    List<EmulatedHost> hosts = List.copyOf(network.hosts());
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    long nextKill = System.nanoTime() + TimeUnit.SECONDS.toNanos(KILL_SECONDS / 2);
    int killed = -1;
    while (System.nanoTime() < end) {
      for (int i = 0; i < 5; i++) {
        EmulatedHost host = hosts.get(random.nextInt(hosts.size()));
        host.sendFrame(arp(0x0200_0900_0000L + random.nextInt(STRANGERS), random.nextInt(50)));
      }
      if (random.nextInt(10) == 0) {
        EmulatedHost host = hosts.get(random.nextInt(hosts.size()));
        network.moveHost(host.name(), "s" + (1 + random.nextInt(4)), freePort++);
        host.announce();
      }
      look(client);
      if (System.nanoTime() > nextKill) {
        nextKill += TimeUnit.SECONDS.toNanos(KILL_SECONDS);
        if (killed >= 0) {
          cluster.node(killed).start();
          cluster.node(killed).awaitReady();
        }
        killed = (killed + 1) % cluster.nodes().size();
        cluster.node(killed).kill();
      }
    }
    if (killed >= 0) {
      cluster.node(killed).start();
    }
  }

  /** Reads all tables in one operation; asks again where the answer did not come. */
  private DeviceTables look(BatchingStoreClient client) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    Reply reply = ask(client);
    while (!(reply instanceof Reply.Batched)) {
      assertThat(System.nanoTime()).as("%s", reply).isLessThan(end);
      unanswered++;
      reply = ask(client);
    }
    DeviceTables tables = DeviceTables.of((Reply.Batched) reply);
    assertThat(tables.contradictions()).as("read %d", reads).isEmpty();
    reads++;
    expired |= !tables.places().keySet().containsAll(places.keySet());
    tables
        .places()
        .forEach(
            (device, place) -> places.computeIfAbsent(device, d -> new HashSet<>()).add(place));
    return tables;
  }

  private static Reply ask(BatchingStoreClient client) throws Exception {
    return client.submit(DeviceTables.read()).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /** The operator's view, the services of each node, and the network agree in the end. */
  private static void everyNodeShowsTheSame(ClusterProcesses cluster, EmulatedNetwork network)
      throws Exception {
    for (EmulatedHost host : network.hosts()) {
      host.announce();
    }
    Set<String> own = new HashSet<>();
    network.hosts().forEach(host -> own.add(host.mac().toString().toLowerCase(Locale.ROOT)));
    for (NodeProcess node : cluster.nodes()) {
      Await.until(
          node.id() + " shows the hosts of the network",
          PATIENCE,
          () -> {
            network.hosts().forEach(EmulatedHost::announce);
            Set<String> shown = new HashSet<>();
            node.report().hosts().forEach(host -> shown.add(macOf(host.mac())));
            return shown.equals(own) && devices(node).equals(own);
          },
          cluster::logs);
    }
  }

  private static String macOf(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  private static Set<String> devices(NodeProcess node) throws Exception {
    CommandRun run =
        CommandRun.lockstep(
            PATIENCE, "devices", "-o", "json", "-e", node.adminEndpoint(), "--timeout", "30000");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    Set<String> macs = new HashSet<>();
    for (JsonNode one : new ObjectMapper().readTree(run.out())) {
      macs.add(macOf(one.path("mac").asText()));
    }
    return macs;
  }

  /** A broadcast ARP request of a device that never answers. */
  private static byte[] arp(long mac, int ip) {
    ByteBuffer frame = ByteBuffer.allocate(60).putShort((short) -1).putInt(-1);
    frame.putShort((short) (mac >>> 32)).putInt((int) mac).putShort((short) 0x0806);
    frame.putShort((short) 1).putShort((short) 0x0800).put((byte) 6).put((byte) 4);
    frame.putShort((short) 1).putShort((short) (mac >>> 32)).putInt((int) mac);
    frame.putInt(0x0a63_0001 + ip).putShort((short) 0).putInt(0).putInt(0x0a63_00ff);
    return frame.array();
  }

  private static BatchingStoreClient client(StoreAddress address) {
    return BatchingStoreClient.open(
        BftSmartClient.connect(ClientConfig.of(address.cluster(), address.members(), 4_242)),
        ClientOptions.of("index check").withTables(CoreTables.all()),
        System::nanoTime,
        new SecureRandom()::nextLong);
  }

  private static List<InetSocketAddress> controllers(ClusterProcesses cluster) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (int i = 0; i < cluster.plan().nodes(); i++) {
      addresses.add(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), cluster.plan().openflowPort(i)));
    }
    return addresses;
  }
}
