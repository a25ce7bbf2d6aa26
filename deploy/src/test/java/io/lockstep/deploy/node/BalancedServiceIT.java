package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.apps.loadbalancer.frame.ArpPacket;
import io.lockstep.apps.loadbalancer.frame.EthernetHead;
import io.lockstep.apps.loadbalancer.state.BalancerTables;
import io.lockstep.apps.loadbalancer.state.ConnectionKey;
import io.lockstep.apps.loadbalancer.state.ConnectionRecord;
import io.lockstep.apps.loadbalancer.state.OrderCheck;
import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.LastingConnections;
import io.lockstep.dataplane.network.LastingConnections.Kept;
import io.lockstep.dataplane.network.LastingConnections.State;
import io.lockstep.dataplane.packet.Ipv4;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.deploy.admin.NodeReport.HostReport;
import io.lockstep.deploy.cli.LockstepCommand;
import io.lockstep.deploy.config.ConfiguredStore;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.ClusterProcesses;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.engine.bftsmart.BftSmartClient;
import io.lockstep.store.engine.bftsmart.ClientConfig;
import io.lockstep.store.typed.StoreAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An operator sets up a balanced service with commands, at three real nodes that master two
 * domains, and clients in both domains open connections that stay.
 */
class BalancedServiceIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final DomainPlan WEST = new DomainPlan("west", List.of(1L, 2L, 3L), 0);
  private static final DomainPlan EAST = new DomainPlan("east", List.of(4L, 5L, 6L), 1);
  private static final String VIP = "10.0.0.100";
  private static final int MEMBER_PORT = 8_080;
  private static final int NEW_PORT = 77;
  private static final String IN_VLAN_7 = "10.0.0.77";

  /** The first, third, fifth ... host: two in each domain, the others are clients. */
  private static final int MEMBERS = 4;

  @TempDir private Path directory;

  private final ObjectMapper json = new ObjectMapper();
  private ClusterProcesses cluster;
  private EmulatedNetwork network;
  private LastingConnections connections;
  private final List<EmulatedHost> members = new ArrayList<>();
  private final List<EmulatedHost> clients = new ArrayList<>();

  @BeforeEach
  void start() {
    cluster =
        ClusterProcesses.prepare(
            directory,
            List.of(WEST, EAST),
            "state: memory\nlimits: {packetsPerPort: 0, packetsPerSwitch: 0}\n");
    cluster.startAll();
    cluster.awaitReady();
    List<InetSocketAddress> controllers = new ArrayList<>();
    for (int i = 0; i < cluster.plan().nodes(); i++) {
      controllers.add(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), cluster.plan().openflowPort(i)));
    }
    network = EmulatedNetwork.start(Topologies.twoDomains(3, 2), controllers);
    cluster.awaitPreferred(WEST);
    cluster.awaitPreferred(EAST);
    List<EmulatedHost> hosts = List.copyOf(network.hosts());
    for (int i = 0; i < hosts.size(); i++) {
      boolean isMember = i % 3 == 0;
      (isMember ? members : clients).add(hosts.get(i));
    }
    assertThat(members).hasSize(MEMBERS);
    connections = network.keepConnections(Ipv4.parse(VIP), 80, clients, members, MEMBER_PORT);
    Await.until(
        "all hosts are known",
        PATIENCE,
        () -> {
          hosts.forEach(EmulatedHost::announce);
          return cluster.node(2).report().hosts().size() == hosts.size();
        },
        cluster::logs);
  }

  @AfterEach
  void stop() {
    if (connections != null) {
      connections.close();
    }
    if (network != null) {
      network.close();
    }
    cluster.close();
  }

  private int command(String... words) {
    List<String> line = new ArrayList<>(List.of(words));
    line.addAll(List.of("-e", cluster.endpoints(), "--timeout", "30000"));
    return LockstepCommand.run(line.toArray(String[]::new));
  }

  private void done(String... words) {
    assertThat(command(words)).as(String.join(" ", words) + cluster.logs()).isZero();
  }

  private void addWeb(String probe) {
    done("pool", "add", "web", "probe=" + probe);
    for (int i = 0; i < MEMBERS; i++) {
      String address = "address=" + members.get(i).address();
      done("member", "add", "m" + (i + 1), "pool=web", address, "port=" + MEMBER_PORT);
    }
    done("vip", "add", "web", "address=" + VIP, "port=80", "pool=web");
  }

  private JsonNode get(int node, String below) throws Exception {
    return json.readTree(send(node, "GET", below, "").body());
  }

  private void open(int perClient, int perSecond) {
    long before = connections.connections().size();
    connections.open(perClient, perSecond);
    awaitOpen(before + (long) perClient * clients.size());
  }

  private void awaitOpen(long count) {
    Await.until(
        count + " connections are open",
        PATIENCE,
        () -> {
          List<Kept> all = connections.connections();
          return all.size() == count && all.stream().allMatch(one -> one.state() != State.OPENING);
        },
        () -> perMember() + cluster.logs());
  }

  /** Connections that are open, by the number of their member. */
  private Map<Integer, Long> perMember() {
    return connections.connections().stream()
        .filter(one -> one.state() == State.OPEN)
        .collect(Collectors.groupingBy(Kept::server, TreeMap::new, Collectors.counting()));
  }

  private long broken() {
    return connections.connections().stream().filter(one -> one.state() == State.BROKEN).count();
  }

  /** Each open connection sends a request, and all are answered or ended. */
  private void talk() {
    connections.talkNow();
    Await.until(
        "all requests are answered",
        PATIENCE,
        () ->
            connections.connections().stream()
                .noneMatch(one -> one.state() == State.OPEN && one.waits()),
        () -> perMember() + cluster.logs());
  }

  @Test
  void anOperatorRunsAService() throws Exception {
    addWeb("arp");
    assertThat(get(1, "vips/web").path("state").path("mac").asText())
        .isEqualTo("02:4C:0A:00:00:64");
    open(10, 100);
    assertThat(perMember()).isEqualTo(Map.of(0, 20L, 1, 20L, 2, 20L, 3, 20L));
    assertThat(get(2, "vips/web").path("state").path("connections").asInt()).isEqualTo(80);
    hostsThatForgeAreNoDevices();
    aClientMovesIntoTheOtherDomain();
    twoOperatorsChangeThePool();
    aMemberInAnotherVlanIsRefused();

    done("member", "set", "m1", "weight=3");
    open(12, 100);
    assertThat(perMember()).isEqualTo(Map.of(0, 68L, 1, 36L, 2, 36L, 3, 36L));

    done("member", "set", "m2", "mode=drain");
    open(10, 100);
    assertThat(perMember()).isEqualTo(Map.of(0, 116L, 1, 36L, 2, 52L, 3, 52L));
    talk();
    assertThat(broken()).as("a drained member keeps its connections").isZero();

    CommandRun inUse = run("pool", "remove", "web");
    assertThat(inUse.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(inUse.err()).contains("it is in use by virtual IP web", "remedy: ");
    CommandRun overlap = run("vip", "add", "x", "address=" + VIP, "port=80", "pool=web");
    assertThat(overlap.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(overlap.err()).contains("web has tcp 10.0.0.100:80 already");
    CommandRun taken =
        run("vip", "add", "x", "address=" + clients.get(0).address(), "port=80", "pool=web");
    assertThat(taken.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(taken.err()).contains("address: host ", " has " + clients.get(0).address());
    assertThat(command("vip", "add", "x", "address=10.0.0.101", "port=80", "pool=nil"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(command("member", "add", "x", "pool=web", "address=10.9.0.1", "port=80"))
        .as("another subnet")
        .isEqualTo(ExitCode.USAGE);
    assertThat(command("member", "set", "m9", "weight=2")).isEqualTo(ExitCode.FAILED);
    assertThat(command("member", "set", "m1", "weight=2", "--version", "1"))
        .as("somebody else changed it")
        .isEqualTo(ExitCode.OUTDATED);

    done("member", "remove", "m2");
    Await.until(
        "the connections of a removed member are reset",
        PATIENCE,
        () -> {
          connections.talkNow();
          return broken() == 36;
        },
        () -> perMember() + cluster.logs());
    talk();
    assertThat(perMember()).isEqualTo(Map.of(0, 116L, 2, 52L, 3, 52L));
    done("vip", "remove", "web");
    for (String member : List.of("m1", "m3", "m4")) {
      done("member", "remove", member);
    }
    done("pool", "remove", "web");
    assertThat(get(0, "pools").path("items")).isEmpty();
  }

  private List<HostReport> hosts(int node) throws Exception {
    return cluster.node(node).report().hosts();
  }

  private List<Kept> connectionsOf(EmulatedHost client) {
    return connections.connections().stream()
        .filter(one -> one.client().equals(client.address()))
        .toList();
  }

  private void aClientMovesIntoTheOtherDomain() {
    EmulatedHost client = clients.get(0);
    List<Kept> before = connectionsOf(client);
    assertThat(before).hasSize(10).allMatch(one -> one.state() == State.OPEN);
    network.moveHost(client.name(), "s6", NEW_PORT);
    Await.until(
        "the client is known in the other domain",
        PATIENCE,
        () -> {
          client.announce();
          return hosts(1).stream().anyMatch(host -> host.atPort() == NEW_PORT);
        },
        cluster::logs);
    talk();
    assertThat(broken()).isZero();
    assertThat(connectionsOf(client)).as("with their members").isEqualTo(before);
  }

  /** Both read the pool, and both write it. */
  private void twoOperatorsChangeThePool() throws Exception {
    HttpResponse<String> read = send(0, "GET", "pools/web", "");
    String tag = read.headers().firstValue("etag").orElseThrow();
    String misses = "\"misses\":[0-9]+";
    String body = read.body().replaceFirst(misses, "\"misses\":4");
    HttpResponse<String> first = send(1, "PUT", "pools/web", body, "If-Match", tag);
    assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
    body = read.body().replaceFirst(misses, "\"misses\":5");
    HttpResponse<String> second = send(2, "PUT", "pools/web", body, "If-Match", tag);
    assertThat(second.statusCode()).as(second.body()).isEqualTo(412);
    assertThat(get(2, "pools/web").path("misses").asInt()).isEqualTo(4);
  }

  private HttpResponse<String> send(
      int node, String method, String below, String body, String... headers) throws Exception {
    URI uri = URI.create("http://" + cluster.plan().adminEndpoint(node) + "/api/v1/" + below);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .timeout(PATIENCE)
            .method(method, BodyPublishers.ofString(body))
            .header("Content-Type", "application/json");
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
  }

  /** The sender is recorded as a device only where it has an address of its own. */
  private void hostsThatForgeAreNoDevices() throws Exception {
    EmulatedHost sender = clients.get(1);
    int vip = Ipv4.parse(VIP).value();
    int elsewhere = Ipv4.parse(IN_VLAN_7).value();
    sender.sendFrame(ArpPacket.request(EthernetHead.BROADCAST, 0x024c_0a00_0064L, vip, vip, 0));
    sender.sendFrame(ArpPacket.request(EthernetHead.BROADCAST, 0x0200_0077_0077L, vip, vip, 0));
    sender.sendFrame(
        ArpPacket.request(EthernetHead.BROADCAST, 0x0200_0077_0007L, elsewhere, vip, 7));
    int known = network.hosts().size() + 1;
    Await.until(
        "the host in VLAN 7 is known", PATIENCE, () -> hosts(0).size() == known, cluster::logs);
    assertThat(hosts(0))
        .as("what was sent before it is no device")
        .noneMatch(host -> host.mac().startsWith("02:4c") || host.ips().contains(VIP));
  }

  private void aMemberInAnotherVlanIsRefused() throws Exception {
    String address = "\"address\":\"" + IN_VLAN_7 + "\"";
    HttpResponse<String> refused =
        send(
            0,
            "PUT",
            "members/x",
            "{\"pool\":\"web\"," + address + ",\"port\":80}",
            "If-None-Match",
            "*");
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(409);
    assertThat(refused.body()).contains("in VLAN 7, and virtual IP web is in no VLAN");
  }

  private CommandRun run(String... words) throws Exception {
    List<String> line = new ArrayList<>(List.of(words));
    line.addAll(List.of("-e", cluster.endpoints(), "--timeout", "30000"));
    return CommandRun.lockstep(PATIENCE, line.toArray(String[]::new));
  }

  /** A short form of what {@code bench load-balancer --kill N} does. */
  @Test
  void theOrderIsExactAndConnectionsStayWhileANodeIsKilled() throws Exception {
    addWeb("none");
    int perClient = 375;
    connections.open(perClient, 150);
    Await.until(
        "a third is open",
        PATIENCE,
        () -> perMember().values().stream().mapToLong(one -> one).sum() > 1_000,
        cluster::logs);
    cluster.awaitMaster(WEST).kill();
    awaitOpen((long) perClient * clients.size());
    Map<Integer, Long> before = perMember();
    talk();
    assertThat(broken()).isZero();
    assertThat(perMember()).isEqualTo(before);
    Map<List<Integer>, ConnectionRecord> records = records();
    Map<String, Integer> weights =
        IntStream.rangeClosed(1, MEMBERS).boxed().collect(Collectors.toMap(i -> "m" + i, i -> 1));
    OrderCheck order = OrderCheck.of(records.values(), weights);
    assertThat(order).isEqualTo(new OrderCheck(1, 0, List.of()));
    assertThat(records).hasSize(perClient * clients.size());
    for (Kept one : connections.connections()) {
      ConnectionRecord record = records.get(List.of(one.client().value(), one.clientPort()));
      assertThat(Objects.requireNonNull(record).member()).isEqualTo("m" + (one.server() + 1));
    }
  }

  /** By the client's IP and port. */
  private Map<List<Integer>, ConnectionRecord> records() throws Exception {
    StoreAddress address = ConfiguredStore.address(cluster.plan().configFile(2));
    Map<List<Integer>, ConnectionRecord> records = new HashMap<>();
    try (BatchingStoreClient store =
        BatchingStoreClient.open(
            BftSmartClient.connect(ClientConfig.of(address.cluster(), address.members(), 4_242)),
            ClientOptions.of("order check"),
            System::nanoTime,
            new SecureRandom()::nextLong)) {
      Command scan = new Command.Scan(BalancerTables.CONNECTIONS, Bytes.empty(), null, 10_000);
      Reply.Entries read = (Reply.Entries) store.submit(scan).get(60, TimeUnit.SECONDS);
      assertThat(read.more()).isFalse();
      for (Entry entry : read.entries()) {
        ConnectionKey key = ConnectionKey.of(entry.key());
        records.put(List.of(key.clientIp(), key.clientPort()), ConnectionRecord.of(entry.value()));
      }
    }
    return records;
  }
}
