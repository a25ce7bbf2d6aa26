package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.flowtable.FlowEntry;
import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.model.SwitchModel;
import io.lockstep.dataplane.network.ContinuousPing;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.EmulatedSwitch;
import io.lockstep.dataplane.network.NewFlows;
import io.lockstep.dataplane.network.PingWindow;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The master of a domain is killed again and again, of one domain and the other in turn, while
 * hosts ping and new flows start. Another node masters its switches with higher generation ids,
 * entries stay, and new flows are carried again. The long form, which appends its figures:
 *
 * <pre>
 * ./lockstep test -- -Dit.test=MasterKillsIT -Dtest=none -Dlockstep.kills=50 \
 *     -Dlockstep.kills.results=FILE -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dfailsafe.failIfNoSpecifiedTests=false
 * </pre>
 */
class MasterKillsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int KILLS = Integer.getInteger("lockstep.kills", 2);

  /** From here on the times are judged, on a machine that does nothing else. */
  private static final int LONG_KILLS = 20;

  private static final String RESULTS = System.getProperty("lockstep.kills.results", "");

  private static final DomainPlan WEST = new DomainPlan("west", List.of(1L, 2L), 0);
  private static final DomainPlan EAST = new DomainPlan("east", List.of(3L, 4L), 1);
  private static final int HOSTS_PER_SWITCH = 4;

  /** All pairs of 12 hosts have had their turn after 1.65 s, and entries live 1 s. */
  private static final int FLOWS_PER_SECOND = 80;

  private static final String CONFIGURATION =
      """
      timeouts: {handBackMillis: 500}
      applications: {learning-switch: {idleTimeoutSeconds: 1}}
      """;

  @TempDir private Path directory;

  /** An entry that stays until somebody removes it. */
  private record Lasting(int table, int priority, String match) {
    static Set<Lasting> of(SwitchModel model) {
      Set<Lasting> lasting = new HashSet<>();
      for (var table : model.pipeline().tables()) {
        for (FlowEntry entry : table.entries()) {
          if (!entry.hasTimeout() && !entry.isDead()) {
            lasting.add(new Lasting(table.id(), entry.priority(), String.valueOf(entry.match())));
          }
        }
      }
      return lasting;
    }
  }

  /** What a switch has before its master is killed, and after. */
  private record Kept(long generationId, Set<Lasting> entries) {
    static Map<Long, Kept> of(EmulatedNetwork network, DomainPlan domain) throws Exception {
      Map<Long, Kept> kept = new HashMap<>();
      for (EmulatedSwitch each : network.switches()) {
        if (domain.dpids().contains(each.dpid())) {
          kept.put(
              each.dpid(),
              new Kept(
                  each.generationId().get(60, TimeUnit.SECONDS),
                  each.inspect(Lasting::of).get(60, TimeUnit.SECONDS)));
        }
      }
      return kept;
    }
  }

  private static EmulatedNetwork network(ClusterProcesses cluster) {
    List<InetSocketAddress> controllers = new ArrayList<>();
    for (int i = 0; i < cluster.plan().nodes(); i++) {
      controllers.add(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), cluster.plan().openflowPort(i)));
    }
    return EmulatedNetwork.start(Topologies.ring(4, HOSTS_PER_SWITCH), controllers);
  }

  /** One host of each switch pings, so that its entries stay; the others begin new flows. */
  private static List<EmulatedHost> hosts(EmulatedNetwork network, boolean ping) {
    List<EmulatedHost> some = new ArrayList<>();
    int number = 0;
    for (EmulatedHost host : network.hosts()) {
      if ((++number % HOSTS_PER_SWITCH == 0) == ping) {
        some.add(host);
      }
    }
    return some;
  }

  private static void awaitMillis(long millis, ClusterProcesses cluster) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    Await.until(millis + " ms", PATIENCE, () -> System.nanoTime() > until, cluster::logs);
  }

  private static void awaitAllCarried(NewFlows flows, ClusterProcesses cluster) {
    Await.until(
        "no new flow of half a second is lost",
        PATIENCE,
        () -> {
          flows.next("half a second");
          awaitMillis(500, cluster);
          NewFlows.Window half = flows.next("between");
          awaitMillis(500, cluster);
          return half.counts().sent() > 0 && half.counts().missing() == 0;
        },
        cluster::logs);
  }

  @Test
  void newFlowsAreCarriedAgainAndNothingInstalledIsLost() throws Exception {
    try (ClusterProcesses cluster =
        ClusterProcesses.prepare(directory, List.of(WEST, EAST), CONFIGURATION)) {
      cluster.startAll();
      cluster.awaitReady();
      try (EmulatedNetwork network = network(cluster)) {
        cluster.awaitPreferred(WEST);
        cluster.awaitPreferred(EAST);
        List<EmulatedHost> hosts = hosts(network, false);
        network.hosts().forEach(EmulatedHost::announce);
        try (NewFlows flows = network.startNewFlows(hosts, FLOWS_PER_SECOND, 1);
            ContinuousPing pings =
                network.pingContinuously(
                    ContinuousPing.everyPair(hosts(network, true)),
                    Duration.ofMillis(50),
                    Duration.ofSeconds(5))) {
          awaitAllCarried(flows, cluster);
          pings.next("kills");
          List<Long> broken = new ArrayList<>();
          for (int kill = 0; kill < KILLS; kill++) {
            broken.add(killMaster(kill % 2 == 0 ? WEST : EAST, cluster, network, flows));
          }
          PingWindow pinged = pings.next("end");
          Await.until(
              "all pings are decided",
              PATIENCE,
              () -> pinged.counts().undecided() == 0,
              () -> pinged.counts() + cluster.logs());
          report(broken, pinged.counts());
        }
      }
    }
  }

  /**
   * Kills the master of a domain and starts it again.
   *
   * @return from the kill until new flows are carried, in microseconds
   */
  private static long killMaster(
      DomainPlan domain, ClusterProcesses cluster, EmulatedNetwork network, NewFlows flows)
      throws Exception {
    NodeProcess master = cluster.awaitPreferred(domain);
    Map<Long, Kept> before = Kept.of(network, domain);
    flows.next("killed");
    master.kill();
    NodeProcess next = cluster.awaitMaster(domain);
    assertThat(next.id()).isNotEqualTo(master.id());
    awaitMillis(1_000, cluster);
    NewFlows.Window killed = flows.next("carried again");
    awaitMillis(500, cluster);
    long micros = TimeUnit.NANOSECONDS.toMicros(flows.brokenNanos(killed));
    assertThat(killed.counts().arrived()).as(killed.counts() + cluster.logs()).isPositive();
    Map<Long, Kept> after = Kept.of(network, domain);
    assertThat(after).containsOnlyKeys(before.keySet());
    after.forEach(
        (dpid, now) -> {
          Kept old = Objects.requireNonNull(before.get(dpid));
          assertThat(now.generationId())
              .as("the generation id of switch %s", dpid)
              .isGreaterThan(old.generationId());
          assertThat(now.entries())
              .as("the entries of switch %s", dpid)
              .isNotEmpty()
              .containsAll(old.entries());
        });
    awaitAllCarried(flows, cluster);
    master.start();
    cluster.awaitReady();
    cluster.awaitPreferred(domain);
    return micros;
  }

  private static void report(List<Long> broken, PingWindow.Counts pings) throws IOException {
    List<Long> sorted = broken.stream().sorted().toList();
    long median = sorted.get((sorted.size() - 1) / 2);
    long longest = sorted.get(sorted.size() - 1);
    String told =
        String.format(
            Locale.ROOT,
            "{\"kills\": %d, \"medianMicros\": %d, \"longestMicros\": %d, \"pings\": %d,"
                + " \"pingsLost\": %d, \"brokenMicros\": %s}",
            sorted.size(),
            median,
            longest,
            pings.sent(),
            pings.lost(),
            broken);
    System.out.println(told);
    assertThat(pings.lost()).as(told).isZero();
    if (KILLS >= LONG_KILLS) {
      assertThat(TimeUnit.MICROSECONDS.toMillis(longest)).as(told).isLessThan(1_000);
      assertThat(TimeUnit.MICROSECONDS.toMillis(median)).as(told).isLessThan(500);
    }
    if (!RESULTS.isEmpty()) {
      Files.writeString(
          Path.of(RESULTS), told + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }
}
