package io.lockstep.deploy.ovs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.NodeProcess;
import io.lockstep.openflow.channel.ovs.OvsHost;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.TableSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Three nodes master a ring of Open vSwitch bridges in two domains. One set-up for all tests, which
 * run in order; each leaves the cluster whole and begins by making sure of that.
 */
@TestMethodOrder(OrderAnnotation.class)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RingOfSwitchesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String UNANSWERED = "test.unanswered";

  /** A pause after the loss of a node, usually a second or two: longer than a busy machine's. */
  private static final long MOST_MILLIS = 20_000;

  private static final String IPERF_PORT = "5201";

  @RegisterExtension static final Testbed testbed = new Testbed();

  @Test
  @Order(1)
  void everyPairOfHostsExchangesPings() {
    awaitFirstPings();
    forEveryPair(
        (from, to) -> {
          // Not ping's own count: it gives up a late answer to its last ping after two round trips.
          try (Pinging pinging = Pinging.start(from, to)) {
            pinging.awaitFirstReply(PATIENCE);
            pinging.awaitLateReplies();
            Pinging.Tally tally = pinging.tally();
            assertThat(tally.lost()).as("lost of %s", pinging).isZero();
            assertThat(tally.duplicates()).as("answered twice of %s", pinging).isZero();
          }
        });
  }

  /** A port counts as a host's only once no neighbouring switch was heard there for a while. */
  private static void awaitFirstPings() {
    List<OvsHost> hosts = testbed.network().hosts();
    List<Pinging> first = new ArrayList<>();
    try {
      for (int i = 0; i < hosts.size(); i++) {
        first.add(Pinging.start(hosts.get(i), hosts.get((i + 1) % hosts.size())));
      }
      first.forEach(pinging -> pinging.awaitFirstReply(PATIENCE));
    } finally {
      first.forEach(Pinging::close);
    }
  }

  /** Each pair once: what is asked is answered, so both directions are used. */
  private static void forEveryPair(BiConsumer<OvsHost, OvsHost> action) {
    List<OvsHost> hosts = testbed.network().hosts();
    for (int from = 0; from < hosts.size(); from++) {
      for (int to = from + 1; to < hosts.size(); to++) {
        action.accept(hosts.get(from), hosts.get(to));
      }
    }
  }

  @Test
  @Order(2)
  void everyPairOfHostsExchangesTcp() {
    List<Process> servers = new ArrayList<>();
    try {
      testbed.network().hosts().forEach(host -> servers.add(startIperfServer(host)));
      forEveryPair(
          (from, to) ->
              assertThat(bytesReceived(from, to, "-n", "1M"))
                  .as("bytes over TCP from %s to %s", from.name(), to.name())
                  .isGreaterThan(0));
      OvsHost west = testbed.network().host(1);
      Testbed.report(
          "TCP within domain west %d Mbit/s, from west to east %d Mbit/s",
          bytesReceived(west, testbed.network().host(3), "-t", "1") * 8 / 1_000_000,
          bytesReceived(west, testbed.network().host(6), "-t", "1") * 8 / 1_000_000);
    } finally {
      servers.forEach(Process::destroyForcibly);
    }
  }

  private static Process startIperfServer(OvsHost host) {
    Process server = host.spawn("iperf3", "-s", "-p", IPERF_PORT);
    Await.until(
        "iperf3 listens at " + host.name(),
        PATIENCE,
        () -> host.must("ss", "-Hltn").contains(":" + IPERF_PORT),
        () -> host.must("ss", "-ltn"));
    return server;
  }

  private static long bytesReceived(OvsHost from, OvsHost to, String unit, String amount) {
    String result = from.must("iperf3", "-J", "-c", to.ip(), "-p", IPERF_PORT, unit, amount);
    try {
      JsonNode json = new ObjectMapper().readTree(result);
      return json.path("end").path("sum_received").path("bytes").asLong();
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("what iperf3 says is no JSON", e);
    }
  }

  @Test
  @Order(3)
  void trafficGoesOnWhenTheMasterOfADomainDies() throws IOException {
    RingCluster cluster = testbed.cluster();
    RingNetwork network = testbed.network();
    cluster.makeWhole();
    network.awaitFreshness(network.host(2), network.host(4), network.host(7));
    try (Pinging within = Pinging.start(network.host(1), network.host(3));
        Pinging across = Pinging.start(network.host(1), network.host(5))) {
      within.awaitFirstReply(PATIENCE);
      across.awaitFirstReply(PATIENCE);
      NodeProcess victim = cluster.master(RingNetwork.WEST);
      long killedAtMillis = cluster.kill(victim);
      try (Pinging newWithin = Pinging.start(network.host(2), network.host(4));
          Pinging newAcross = Pinging.start(network.host(7), network.host(2))) {
        awaitRecovered("master of the domain", killedAtMillis, newWithin, newAcross);
      }
      cluster.makeWhole();
      assertNothingLost(within, across);
    }
    Testbed.report("three nodes use %d MB of memory", cluster.residentMegabytes());
  }

  private static void awaitRecovered(String killed, long killedAtMillis, Pinging... newFlows) {
    for (Pinging newFlow : newFlows) {
      long millis = newFlow.awaitFirstReply(PATIENCE) - killedAtMillis;
      Testbed.report("new flow %d ms after kill -9 of the %s: %s", millis, killed, newFlow);
      assertThat(millis).as("%s after kill -9 of the %s", newFlow, killed).isLessThan(MOST_MILLIS);
    }
  }

  private static void assertNothingLost(Pinging... onInstalledRules) {
    for (Pinging pinging : onInstalledRules) {
      Pinging.Tally tally = pinging.tally();
      Testbed.report("%s on installed rules: %s", pinging, tally);
      assertThat(tally.lost()).as("lost pings on installed rules").isZero();
      assertThat(tally.duplicates()).as("packets that came twice").isZero();
    }
  }

  @Test
  @Order(4)
  void acknowledgedWritesSurviveTheLeaderReplica() throws Exception {
    RingCluster cluster = testbed.cluster();
    RingNetwork network = testbed.network();
    cluster.makeWhole();
    network.awaitFreshness(network.host(6), network.host(8));
    try (StoreClient store = cluster.openStore();
        Pinging across = Pinging.start(network.host(1), network.host(5))) {
      across.awaitFirstReply(PATIENCE);
      SteadyWrites writes = SteadyWrites.start(store, "leader");
      writes.awaitFurther(500, PATIENCE);
      NodeProcess leader = cluster.leader();
      long killedAtNanos = System.nanoTime();
      long killedAtMillis = cluster.kill(leader);
      try (Pinging newFlow = Pinging.start(network.host(6), network.host(8))) {
        awaitRecovered("leader replica", killedAtMillis, newFlow);
      }
      writes.awaitFurther(500, PATIENCE);
      long pauseMillis = writes.longestPauseMillisSince(killedAtNanos);
      Testbed.report("writes resume %d ms after kill -9 of the leader replica", pauseMillis);
      assertThat(pauseMillis).isLessThan(MOST_MILLIS);
      cluster.makeWhole();
      writes.stop();
      Testbed.report("writes over the loss and return of the leader: %s", writes);
      writes.assertKept();
      assertNothingLost(across);
    }
  }

  @Test
  @Order(5)
  void withoutQuorumNothingIsAcknowledgedAndInstalledFlowsGoOn() throws Exception {
    RingCluster cluster = testbed.cluster();
    RingNetwork network = testbed.network();
    cluster.makeWhole();
    network.awaitFreshness(network.host(4), network.host(8));
    try (StoreClient store = cluster.openStore();
        Pinging within = Pinging.start(network.host(1), network.host(3));
        Pinging across = Pinging.start(network.host(1), network.host(5))) {
      within.awaitFirstReply(PATIENCE);
      across.awaitFirstReply(PATIENCE);
      SteadyWrites before = SteadyWrites.start(store, "before");
      before.awaitFurther(200, PATIENCE);
      before.stop();
      Reply declared =
          SteadyWrites.await(store.submit(new Command.CreateTable(UNANSWERED, TableSpec.values())));
      assertThat(declared).isInstanceOf(Reply.Applied.class);
      NodeProcess leader = cluster.leader();
      NodeProcess survivor = cluster.nodes().stream().filter(n -> n != leader).findFirst().get();
      cluster.nodes().stream().filter(node -> node != survivor).forEach(cluster::kill);
      assertNothingAcknowledged(store);
      cluster.awaitNoQuorum();
      assertStatusSaysNoQuorum();
      assertNothingLost(within, across);
      long startedAt = System.nanoTime();
      cluster.makeWhole();
      Testbed.report("whole again %d ms after the start of two", Testbed.millisSince(startedAt));
      try (Pinging newFlow = Pinging.start(network.host(4), network.host(8))) {
        newFlow.awaitFirstReply(PATIENCE);
      }
      before.assertKept();
      assertNothingLost(within, across);
    }
  }

  /** Their outcome may be unknown, so they have a table of their own. */
  private static void assertNothingAcknowledged(StoreClient store) {
    List<CompletableFuture<Reply>> puts = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Bytes text = Bytes.utf8("put " + i);
      puts.add(store.submit(new Command.Put(UNANSWERED, text, text)));
    }
    for (CompletableFuture<Reply> put : puts) {
      assertThat(SteadyWrites.await(put))
          .as("a write without quorum")
          .isInstanceOfAny(Reply.Unknown.class, Reply.Rejected.class);
    }
  }

  private static void assertStatusSaysNoQuorum() throws IOException, InterruptedException {
    CommandRun status =
        CommandRun.lockstep(
            PATIENCE, "status", "--timeout", "30000", "-e", testbed.cluster().endpoints());
    assertThat(status.err()).contains("lockstep: no quorum");
    assertThat(status.out()).contains("NO QUORUM");
    assertThat(status.exitCode()).isEqualTo(ExitCode.NO_QUORUM);
  }

  @Test
  @Order(6)
  void theSessionDecodesInTsharkWithNoMalformedMessage() {
    testbed.cluster().makeWhole();
    assertThat(testbed.capture().stop()).as("packets that dumpcap dropped").isZero();
    assertThat(testbed.capture().malformedFrames()).as("malformed frames").isEmpty();
    assertThat(testbed.capture().messageTypes())
        .as("types of messages (OpenFlow 1.3.5 section 7.1)")
        .containsAll(
            Set.of(
                0, // hello
                5, // features request
                6, // features reply
                10, // packet-in
                13, // packet-out
                14, // flow-mod
                18, // multipart request
                19, // multipart reply
                20, // barrier request
                21, // barrier reply
                24, // role request
                25)); // role reply
  }
}
