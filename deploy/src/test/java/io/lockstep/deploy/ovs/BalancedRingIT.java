package io.lockstep.deploy.ovs;

import static io.lockstep.deploy.ovs.BalancedHosts.connect;
import static io.lockstep.deploy.ovs.BalancedHosts.curl;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.apps.loadbalancer.state.BalancerCommands;
import io.lockstep.apps.loadbalancer.state.BalancerTables;
import io.lockstep.apps.loadbalancer.state.Configure;
import io.lockstep.apps.loadbalancer.state.ConnectionKey;
import io.lockstep.apps.loadbalancer.state.ConnectionRecord;
import io.lockstep.apps.loadbalancer.state.OrderCheck;
import io.lockstep.apps.loadbalancer.state.Pool;
import io.lockstep.apps.loadbalancer.state.TransportProtocol;
import io.lockstep.deploy.ovs.BalancedHosts.Bulk;
import io.lockstep.deploy.ovs.BalancedHosts.Lasting;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.NodeProcess;
import io.lockstep.openflow.channel.ovs.OvsHost;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Three nodes balance real TCP connections of clients in two domains over members in two domains,
 * while a node is killed, then a link fails, then a member, which comes back.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class BalancedRingIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String VIP = "10.77.0.100";
  private static final int BULK_WEST = 5_201;
  private static final int BULK_EAST = 5_202;

  @RegisterExtension static final Testbed testbed = new Testbed();

  @Test
  void connectionsKeepTheirMembersAndTheOrderWhileANodeIsKilled() throws Exception {
    OvsHost west = testbed.network().host(1);
    OvsHost east = testbed.network().host(5);
    OvsHost westMember = testbed.network().host(4);
    OvsHost eastMember = testbed.network().host(8);
    for (OvsHost client : List.of(west, east)) {
      assertThat(client.pings(westMember, 60)).isTrue();
      assertThat(client.pings(eastMember, 60)).isTrue();
    }
    BalancedHosts.serve(westMember, westMember.name());
    BalancedHosts.serve(eastMember, eastMember.name());
    try (StoreClient store = testbed.cluster().openStore()) {
      BalancedHosts.configure(command -> ask(store, command), VIP, 80, westMember, eastMember);
      for (OvsHost client : List.of(west, east)) {
        Await.until(
            "the virtual IP answers pings of " + client.name(),
            PATIENCE,
            () -> client.succeeds("ping", "-c", "1", "-W", "1", VIP),
            testbed.cluster()::describe);
      }
      Map<String, Integer> half = Map.of(westMember.name(), 4, eastMember.name(), 4);
      assertThat(connect(west, VIP, 80, 8)).isEqualTo(half);
      assertThat(connect(east, VIP, 80, 8)).isEqualTo(half);
      bulkService(store, BULK_WEST, westMember);
      bulkService(store, BULK_EAST, eastMember);
      try (Lasting ofWest = new Lasting(west, VIP, 80);
          Lasting ofEast = new Lasting(east, VIP, 80);
          Bulk toWest = new Bulk(westMember, BULK_WEST, east, VIP, BULK_WEST);
          Bulk toEast = new Bulk(eastMember, BULK_EAST, west, VIP, BULK_EAST)) {
        assertThat(ofWest.server()).isNotEqualTo(ofEast.server());
        toWest.goesOn(5);
        toEast.goesOn(5);
        NodeProcess master = testbed.cluster().master(RingNetwork.WEST);
        testbed.cluster().kill(master);
        ofWest.goesOn(50);
        ofEast.goesOn(50);
        toWest.goesOn(10);
        toEast.goesOn(10);
        assertThat(connect(west, VIP, 80, 8)).isEqualTo(half);
        assertThat(curl(east, VIP, 80, 8)).isEqualTo(half);
        ofWest.goesOn(10);
        ofEast.goesOn(10);
        testbed.cluster().makeWhole();
        ofWest.goesOn(10);
        ofEast.goesOn(10);
        testbed.network().cut(1);
        ofWest.goesOn(50);
        ofEast.goesOn(50);
        toWest.goesOn(10);
        toEast.goesOn(10);
        assertThat(curl(east, VIP, 80, 8)).isEqualTo(half);
        assertThatTheOrderIsExact(store);
        boolean isWest = ofWest.server().equals(eastMember.name());
        theEastMemberFails(store, isWest ? ofEast : ofWest);
        toWest.goesOn(10);
        theEastMemberComesBack(store);
        assertThat(connect(west, VIP, 80, 8)).isEqualTo(half);
        (isWest ? ofEast : ofWest).goesOn(10);
      }
    }
  }

  private static void theEastMemberFails(StoreClient store, Lasting living) {
    OvsHost west = testbed.network().host(1);
    OvsHost east = testbed.network().host(5);
    Map<String, Integer> all = Map.of(testbed.network().host(4).name(), 4);
    BalancedHosts.change(
        command -> ask(store, command),
        BalancerCommands.put(
            Pool.usual("web", Pool.Method.ROUND_ROBIN, Pool.Probe.TCP), Configure.ANY_VERSION));
    testbed.network().host(8).must("ip", "link", "set", "eth0", "down");
    Await.until(
        "the member is taken out",
        PATIENCE,
        () -> !entries(store, BalancerTables.HEALTH).isEmpty(),
        testbed.cluster()::describe);
    living.goesOn(50);
    assertThat(connect(west, VIP, 80, 4)).isEqualTo(all);
    assertThat(curl(east, VIP, 80, 4)).isEqualTo(all);
    living.goesOn(10);
  }

  /** It answers probes again, which put it back. */
  private static void theEastMemberComesBack(StoreClient store) {
    OvsHost member = testbed.network().host(8);
    member.must("ip", "link", "set", "eth0", "up");
    assertThat(member.pings(testbed.network().host(1), 60)).isTrue();
    Await.until(
        "the member is back",
        PATIENCE,
        () -> entries(store, BalancerTables.HEALTH).isEmpty(),
        testbed.cluster()::describe);
  }

  /**
   * A virtual IP with one member, for iperf3, which needs the second of its two connections to come
   * to the same server.
   */
  private static void bulkService(StoreClient store, int port, OvsHost member) {
    String name = "bulk" + port;
    BalancedHosts.service(command -> ask(store, command), name, TransportProtocol.TCP, VIP, port);
    BalancedHosts.addMember(command -> ask(store, command), name, member, port);
  }

  /** Both members have one place of each two neighbours, and no place is there twice. */
  private static void assertThatTheOrderIsExact(StoreClient store) {
    List<ConnectionRecord> records = new ArrayList<>();
    for (Entry entry : entries(store, BalancerTables.CONNECTIONS)) {
      boolean ofWeb = ConnectionKey.of(entry.key()).service().port() == 80;
      if (ofWeb) {
        records.add(ConnectionRecord.of(entry.value()));
      }
    }
    assertThat(records).hasSizeGreaterThanOrEqualTo(26);
    OrderCheck order = OrderCheck.of(records, Map.of());
    assertThat(order.wrong()).isEmpty();
    assertThat(order.missing()).isZero();
  }

  private static List<Entry> entries(StoreClient store, String table) {
    Reply reply = ask(store, new Command.Scan(table, Bytes.empty(), null, 10_000));
    return ((Reply.Entries) reply).entries();
  }

  private static Reply ask(StoreClient store, Command command) {
    try {
      return store.submit(command).get(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("the store does not answer", e);
    }
  }
}
