package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.network.ContinuousPing;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.NewFlows;
import io.lockstep.dataplane.network.PingWindow;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.deploy.admin.NodeReport.DomainReport;
import io.lockstep.deploy.cli.LockstepCommand;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.ClusterProcesses;
import io.lockstep.deploy.testbed.NodeProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Operators move domains, drain nodes and rebalance with the command line, at three real nodes,
 * while hosts ping and new flows start: none is lost. A round has two moves, a drain of a node that
 * often leads the store, and three times rebalancing. The long form, which appends its figures:
 *
 * <pre>
 * ./lockstep test -- -Dit.test=OrderlyMovesIT -Dtest=none -Dlockstep.moves.rounds=100 \
 *     -Dlockstep.moves.results=FILE -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dfailsafe.failIfNoSpecifiedTests=false
 * </pre>
 */
class OrderlyMovesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ROUNDS = Integer.getInteger("lockstep.moves.rounds", 2);

  /** From here on the first flows of young processes are fewer than one in a hundred. */
  private static final int LONG_ROUNDS = 20;

  private static final String RESULTS = System.getProperty("lockstep.moves.results", "");

  private static final DomainPlan WEST = new DomainPlan("west", List.of(1L, 2L), 0);
  private static final DomainPlan EAST = new DomainPlan("east", List.of(3L, 4L), 1);
  private static final int HOSTS_PER_SWITCH = 4;

  /** All pairs of 12 hosts have had their turn after 1.65 s, and entries live 1 s. */
  private static final int FLOWS_PER_SECOND = 80;

  /** Short, so that a domain that is handed back by itself would be so within the test. */
  private static final String CONFIGURATION =
      """
      timeouts: {handBackMillis: 500}
      applications: {learning-switch: {idleTimeoutSeconds: 1}}
      """;

  @TempDir private Path directory;

  private ClusterProcesses cluster;
  private EmulatedNetwork network;

  @BeforeEach
  void start() {
    cluster = ClusterProcesses.prepare(directory, List.of(WEST, EAST), CONFIGURATION);
    cluster.startAll();
    cluster.awaitReady();
    List<InetSocketAddress> controllers = new ArrayList<>();
    for (int i = 0; i < cluster.plan().nodes(); i++) {
      controllers.add(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), cluster.plan().openflowPort(i)));
    }
    network = EmulatedNetwork.start(Topologies.ring(4, HOSTS_PER_SWITCH), controllers);
  }

  @AfterEach
  void stop() {
    network.close();
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

  private void awaitMillis(long millis) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    Await.until(millis + " ms", PATIENCE, () -> System.nanoTime() > until, cluster::logs);
  }

  private String master(DomainPlan domain) {
    return cluster.awaitMaster(domain).id();
  }

  /** One host of each switch pings, so that its entries stay; the others begin new flows. */
  private List<EmulatedHost> hosts(boolean ping) {
    List<EmulatedHost> some = new ArrayList<>();
    int number = 0;
    for (EmulatedHost host : network.hosts()) {
      if ((++number % HOSTS_PER_SWITCH == 0) == ping) {
        some.add(host);
      }
    }
    return some;
  }

  private NewFlows awaitFlows() {
    List<EmulatedHost> hosts = hosts(false);
    hosts.forEach(EmulatedHost::announce);
    NewFlows flows = network.startNewFlows(hosts, FLOWS_PER_SECOND, 1);
    Await.until(
        "no new flow of a second is lost",
        PATIENCE,
        () -> {
          flows.next("a second");
          awaitMillis(1000);
          NewFlows.Window second = flows.next("between");
          awaitMillis(500);
          return second.counts().sent() > 0 && second.counts().missing() == 0;
        },
        cluster::logs);
    return flows;
  }

  /** Each time another node is drained: one that masters a domain, and often leads the store. */
  private void operate(int round) {
    DomainPlan domain = round % 2 == 0 ? WEST : EAST;
    String node = cluster.node(domain.firstMaster()).id();
    done("masters", "move", "west", "n3");
    done("masters", "move", "east", "n1");
    awaitMillis(1_000);
    assertThat(master(WEST) + master(EAST)).as("nothing is handed back").isEqualTo("n3n1");
    done("rebalance");
    assertThat(master(WEST) + master(EAST)).isEqualTo("n1n2");
    done("drain", node);
    String next = master(domain);
    assertThat(next).isNotEqualTo(node);
    assertThat(cluster.leader().id()).as("the lead of the store").isNotEqualTo(node);
    awaitMillis(1_000);
    done("rebalance");
    assertThat(master(domain)).as("the preferred master is drained").isEqualTo(next);
    done("undrain", node);
    done("rebalance");
    assertThat(master(WEST) + master(EAST)).isEqualTo("n1n2");
  }

  @Test
  void noPacketIsLostWhateverOperatorsMove() throws IOException {
    cluster.awaitPreferred(WEST);
    cluster.awaitPreferred(EAST);
    try (NewFlows flows = awaitFlows();
        ContinuousPing pings =
            network.pingContinuously(
                ContinuousPing.everyPair(hosts(true)),
                Duration.ofMillis(50),
                Duration.ofSeconds(5))) {
      awaitMillis(2_000);
      flows.next("moves");
      pings.next("moves");
      long before = handOvers();
      for (int round = 0; round < ROUNDS; round++) {
        operate(round);
      }
      NewFlows.Window moved = flows.next("end");
      PingWindow pinged = pings.next("end");
      Await.until(
          "all flows and pings of the moves are decided",
          PATIENCE,
          () -> moved.counts().missing() == 0 && pinged.counts().undecided() == 0,
          () -> moved.counts() + ", " + pinged.counts() + cluster.logs());
      NewFlows.Counts counts = moved.counts();
      String told = told(moved, pinged, handOvers() - before);
      System.out.println(told);
      assertThat(counts.sent()).as(told).isGreaterThan(FLOWS_PER_SECOND);
      assertThat(pinged.counts().lost()).as(told).isZero();
      assertThat(flows.doubled()).as("datagrams that arrived twice").isZero();
      if (ROUNDS >= LONG_ROUNDS) {
        assertThat(TimeUnit.NANOSECONDS.toMillis(counts.p99Nanos())).as(told).isLessThan(100);
      }
      if (!RESULTS.isEmpty()) {
        Files.writeString(
            Path.of(RESULTS), told + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      }
    }
  }

  /** So often a domain changed hands. */
  private long handOvers() throws IOException {
    return cluster.node(0).report().domains().stream().mapToLong(DomainReport::epoch).sum();
  }

  private static String told(NewFlows.Window moved, PingWindow pinged, long handOvers) {
    NewFlows.Counts flows = moved.counts();
    PingWindow.Counts pings = pinged.counts();
    return String.format(
        Locale.ROOT,
        "{\"moves\": %d, \"drains\": %d, \"rebalances\": %d, \"handOvers\": %d, \"seconds\": %d,"
            + " \"newFlows\": %d, \"newFlowsLost\": %d, \"p99Micros\": %d, \"longestMicros\": %d,"
            + " \"pings\": %d, \"pingsLost\": %d, \"longestGapMicros\": %d}",
        2 * ROUNDS,
        ROUNDS,
        3 * ROUNDS,
        handOvers,
        TimeUnit.NANOSECONDS.toSeconds(pings.durationNanos()),
        flows.sent(),
        flows.missing(),
        TimeUnit.NANOSECONDS.toMicros(flows.p99Nanos()),
        TimeUnit.NANOSECONDS.toMicros(moved.longestNanos()),
        pings.sent(),
        pings.lost(),
        TimeUnit.NANOSECONDS.toMicros(pings.longestGapNanos()));
  }

  @Test
  void drainIsRefusedWhereItsStopWouldTakeTheQuorumAlongAndOutlivesARestartOfAll()
      throws Exception {
    cluster.awaitPreferred(WEST);
    NodeProcess n3 = cluster.node(2);
    n3.kill();
    Await.until(
        "n3's replica is missed",
        PATIENCE,
        () -> {
          var replica = cluster.node(0).report().replica();
          return replica != null && !replica.reachable().contains(2);
        },
        cluster::logs);
    assertThat(command("drain", "n1")).isEqualTo(ExitCode.FAILED);
    assertThat(master(WEST)).isEqualTo("n1");
    done("drain", "n1", "--force");
    assertThat(master(WEST)).isEqualTo("n2");
    assertThat(cluster.leader().id()).as("the lead of the store").isEqualTo("n2");
    for (NodeProcess node : List.of(cluster.node(0), cluster.node(1))) {
      node.process().destroy();
      assertThat(node.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
    cluster.startAll();
    cluster.awaitReady();
    Await.until(
        "n2 masters west, though n1 is back",
        PATIENCE,
        () ->
            master(WEST).equals("n2")
                && cluster.node(1).report().switches().stream()
                    .filter(one -> one.domain().equals("west"))
                    .allMatch(one -> one.connectedTo().contains("n1")),
        cluster::logs);
    Await.until(
        "another replica than that of n1 leads",
        PATIENCE,
        () -> !cluster.leader().id().equals("n1"),
        cluster::logs);
    awaitMillis(2_000);
    assertThat(master(WEST)).as("a drained node gets nothing back").isEqualTo("n2");
    assertThat(cluster.node(1).report().nodes())
        .filteredOn(node -> node.drained())
        .extracting(node -> node.id())
        .containsExactly("n1");
    done("undrain", "n1");
    cluster.awaitPreferred(WEST);
    assertThat(command("undrain", "n1")).isEqualTo(ExitCode.FAILED);
    assertThat(command("drain", "n9")).isEqualTo(ExitCode.USAGE);
  }
}
