package io.lockstep.apps.loadbalancer.state;

import static io.lockstep.apps.loadbalancer.state.BalancerStore.connection;
import static io.lockstep.apps.loadbalancer.state.BalancerStore.ip;
import static io.lockstep.apps.loadbalancer.state.BalancerStore.member;
import static io.lockstep.apps.loadbalancer.state.BalancerStore.memberOf;
import static io.lockstep.apps.loadbalancer.state.BalancerStore.placeOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.apps.loadbalancer.state.ConnectionAnswer.Status;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TakeMemberTest {
  private final BalancerStore store = new BalancerStore().withWeb(1, 1, 1);

  @Test
  void eachTakeGetsTheNextMemberAndItsPlace() {
    List<Integer> members = new ArrayList<>();
    List<Long> places = new ArrayList<>();
    for (int port = 1; port <= 6; port++) {
      ConnectionAnswer answer = store.take(1, port);
      assertThat(answer.status()).isEqualTo(Status.TAKEN);
      members.add(memberOf(answer));
      places.add(placeOf(answer));
    }
    assertThat(members).containsExactly(1, 2, 3, 1, 2, 3);
    assertThat(places).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
  }

  @Test
  void aRepeatedSynTakesNoneAndKeepsMemberAndPlace() {
    ConnectionAnswer first = store.take(1, 5);
    ConnectionAnswer again = store.take(1, 5);
    assertThat(again.status()).isEqualTo(Status.KEPT);
    assertThat(again.connection()).isEqualTo(first.connection());
    assertThat(placeOf(store.take(1, 6))).isEqualTo(placeOf(first) + 1);
  }

  @Test
  void aPacketThatBeginsNoConnectionTakesNone() {
    ConnectionAnswer answer = store.take(connection(1, 5), false);
    assertThat(answer.status()).isEqualTo(Status.NO_RECORD);
    assertThat(store.entries(BalancerTables.CONNECTIONS)).isEmpty();
    assertThat(placeOf(store.take(1, 6))).isEqualTo(1);
  }

  @Test
  void aServiceThatIsNotConfiguredHasNoMember() {
    ConnectionKey other =
        new ConnectionKey(
            ip("10.0.0.9"), 5, new ServiceAddress(TransportProtocol.UDP, BalancerStore.VIP, 80));
    assertThat(store.take(other, true).status()).isEqualTo(Status.NO_SERVICE);
  }

  @Test
  void aDrainedMemberKeepsWhatItHasAndTakesNothing() {
    assertThat(memberOf(store.take(1, 1))).isEqualTo(1);
    store.done(BalancerCommands.put(member(1, 1, Member.State.DRAIN), -1));
    for (int port = 2; port < 10; port++) {
      assertThat(memberOf(store.take(1, port))).isNotEqualTo(1);
    }
    assertThat(store.take(1, 1).status()).isEqualTo(Status.KEPT);
    assertThat(memberOf(store.take(1, 1))).isEqualTo(1);
  }

  @Test
  void aMemberThatIsDownKeepsConnectionsButASynTakesAnother() {
    store.take(1, 1);
    store.run(ReportHealth.command(member(1, 1, Member.State.ENABLED), true));
    ConnectionAnswer data = store.take(connection(1, 1), false);
    assertThat(data.status()).isEqualTo(Status.KEPT);
    assertThat(memberOf(data)).isEqualTo(1);
    ConnectionAnswer syn = store.take(1, 1);
    assertThat(syn.status()).isEqualTo(Status.TAKEN);
    assertThat(memberOf(syn)).isNotEqualTo(1);
    assertThat(store.entries(BalancerTables.CONNECTIONS)).hasSize(1);
  }

  @Test
  void theConnectionsOfARemovedOrDisabledMemberAreForgotten() {
    store.take(1, 1);
    store.take(1, 2);
    store.done(BalancerCommands.removeMember("m1", Configure.ANY_VERSION));
    store.done(BalancerCommands.put(member(2, 1, Member.State.DISABLED), -1));
    for (int port = 1; port <= 2; port++) {
      assertThat(store.take(connection(1, port), false).status()).isEqualTo(Status.NO_RECORD);
    }
    assertThat(store.entries(BalancerTables.CONNECTIONS)).isEmpty();
    assertThat(store.entries(BalancerTables.COUNTS)).isEmpty();
  }

  @Test
  void aPoolWithoutAMemberThatTakesGivesNone() {
    for (int number = 1; number <= 3; number++) {
      store.run(ReportHealth.command(member(number, 1, Member.State.ENABLED), true));
    }
    assertThat(store.take(1, 1).status()).isEqualTo(Status.NO_MEMBER);
    store.run(ReportHealth.command(member(2, 1, Member.State.ENABLED), false));
    assertThat(memberOf(store.take(1, 1))).isEqualTo(2);
  }

  @Test
  void aReportOnAnotherAddressOfAMemberChangesNothing() {
    Member elsewhere = new Member("m1", "web", ip("10.0.0.77"), 8_080, 1, Member.State.ENABLED);
    store.run(ReportHealth.command(elsewhere, true));
    assertThat(store.entries(BalancerTables.HEALTH)).isEmpty();
  }

  @Test
  void boundsOfClientAndServiceHoldAtTheBound() {
    VirtualIp small = new VirtualIp("web", BalancerStore.WEB, 24, 0, "web", 60, 5, 3);
    store.done(BalancerCommands.put(small, -1));
    for (int port = 1; port <= 3; port++) {
      assertThat(store.take(1, port).status()).isEqualTo(Status.TAKEN);
    }
    assertThat(store.take(1, 4).status()).isEqualTo(Status.CLIENT_FULL);
    assertThat(store.take(1, 3).status()).as("known").isEqualTo(Status.KEPT);
    assertThat(store.take(2, 1).status()).isEqualTo(Status.TAKEN);
    assertThat(store.take(2, 2).status()).isEqualTo(Status.TAKEN);
    assertThat(store.take(3, 1).status()).isEqualTo(Status.SERVICE_FULL);
    assertThat(placeOf(store.take(2, 2))).as("a refusal takes no place").isEqualTo(5);
  }

  @Test
  void aConnectionThatWasSilentForItsIdleTimeTakesAnew() {
    VirtualIp quick = new VirtualIp("web", BalancerStore.WEB, 24, 0, "web", 60, 5, 3);
    store.done(BalancerCommands.put(quick, -1));
    store.take(1, 1);
    store.passSeconds(40);
    assertThat(store.take(1, 1).status()).as("seen, so it lives on").isEqualTo(Status.KEPT);
    store.passSeconds(59);
    assertThat(store.take(1, 1).status()).isEqualTo(Status.KEPT);
    store.passSeconds(60);
    assertThat(store.take(connection(1, 1), false).status()).isEqualTo(Status.NO_RECORD);
    assertThat(store.entries(BalancerTables.COUNTS)).isEmpty();
  }

  @Test
  void aRecordIsWrittenAgainOnlyWhenItIsOld() {
    store.take(1, 1);
    long version = store.entries(BalancerTables.CONNECTIONS).get(0).version();
    store.passSeconds(599);
    store.take(1, 1);
    assertThat(store.entries(BalancerTables.CONNECTIONS).get(0).version()).isEqualTo(version);
    store.passSeconds(1);
    store.take(1, 1);
    assertThat(store.entries(BalancerTables.CONNECTIONS).get(0).version()).isGreaterThan(version);
  }

  @Test
  void aPacketOfAMemberFindsItsConnection() {
    ConnectionAnswer taken = store.take(1, 5_000);
    int client = connection(1, 5_000).clientIp();
    ConnectionAnswer found =
        store.ask(FindReturn.command(TransportProtocol.TCP, ip("10.0.0.1"), 8_080, client, 5_000));
    assertThat(found.status()).isEqualTo(Status.KEPT);
    assertThat(found.connection()).isEqualTo(taken.connection());
    for (Command direct :
        List.of(
            FindReturn.command(TransportProtocol.TCP, ip("10.0.0.2"), 8_080, client, 5_000),
            FindReturn.command(TransportProtocol.TCP, ip("10.0.0.1"), 8_081, client, 5_000),
            FindReturn.command(TransportProtocol.UDP, ip("10.0.0.1"), 8_080, client, 5_000),
            FindReturn.command(TransportProtocol.TCP, ip("10.0.0.1"), 8_080, client, 5_001))) {
      assertThat(store.ask(direct).status()).isEqualTo(Status.NO_RECORD);
    }
  }

  @Test
  void translatedConnectionsHaveSourcePortsOfTheirOwn() {
    store.done(BalancerCommands.removeMember("m2", -1));
    store.done(BalancerCommands.removeMember("m3", -1));
    store.take(1, 5_000);
    store.take(2, 5_000);
    List<Integer> ports = new ArrayList<>();
    for (int client = 1; client <= 2; client++) {
      ConnectionAnswer answer = store.ask(TranslateSource.command(connection(client, 5_000)));
      ports.add(sourcePortOf(answer));
      assertThat(store.ask(TranslateSource.command(connection(client, 5_000))))
          .as("asked again")
          .isEqualTo(answer);
      ConnectionAnswer found =
          store.ask(
              FindReturn.command(
                  TransportProtocol.TCP,
                  ip("10.0.0.1"),
                  8_080,
                  BalancerStore.VIP,
                  sourcePortOf(answer)));
      assertThat(found.connection()).isEqualTo(answer.connection());
    }
    assertThat(ports).containsExactly(5_000, 5_001);
    store.done(BalancerCommands.removeMember("m1", -1));
    store.take(connection(1, 5_000), false);
    store.take(connection(2, 5_000), false);
    assertThat(store.entries(BalancerTables.TRANSLATIONS)).isEmpty();
  }

  private static int sourcePortOf(ConnectionAnswer answer) {
    return Objects.requireNonNull(answer.connection()).sourcePort();
  }

  @Test
  void sweepsForgetWhatIsOldAndShareOneCursor() {
    VirtualIp vip = new VirtualIp("web", BalancerStore.WEB, 24, 0, "web", 60, 5_000, 5_000);
    store.done(BalancerCommands.put(vip, -1));
    for (int port = 1; port <= 2_500; port++) {
      store.take(1, port);
    }
    store.passSeconds(61);
    store.take(2, 1);
    assertThat(ExpireConnections.goesOn(store.run(ExpireConnections.command()))).isTrue();
    assertThat(ExpireConnections.goesOn(store.run(ExpireConnections.command()))).isTrue();
    assertThat(ExpireConnections.goesOn(store.run(ExpireConnections.command()))).isFalse();
    assertThat(store.entries(BalancerTables.CONNECTIONS)).hasSize(1);
    store.done(BalancerCommands.removeVip("web", -1));
    store.run(ExpireConnections.command());
    assertThat(store.entries(BalancerTables.CONNECTIONS)).as("not so soon").hasSize(1);
    store.passSeconds(30);
    store.run(ExpireConnections.command());
    assertThat(store.entries(BalancerTables.CONNECTIONS)).isEmpty();
    assertThat(store.entries(BalancerTables.COUNTS)).as("the cursor alone").hasSize(1);
  }

  private static final ServiceAddress HTTPS =
      new ServiceAddress(TransportProtocol.TCP, BalancerStore.VIP, 443);

  private static ConnectionKey other(int port) {
    return new ConnectionKey(connection(1, port).clientIp(), port, HTTPS);
  }

  /** One member, which two virtual IPs share. */
  private void shareOneMember() {
    store.done(BalancerCommands.put(VirtualIp.usual("https", HTTPS, "web"), Configure.ABSENT));
    store.done(BalancerCommands.removeMember("m2", -1));
    store.done(BalancerCommands.removeMember("m3", -1));
  }

  @Test
  void twoConnectionsOfAClientPortNeverHaveOneMember() {
    shareOneMember();
    ConnectionAnswer first = store.take(1, 5_000);
    assertThat(store.take(other(5_000), true).status()).isEqualTo(Status.NO_PORT);
    assertThat(store.entries(BalancerTables.CONNECTIONS)).as("nothing is written").hasSize(1);
    assertThat(placeOf(store.take(1, 5_001))).as("no place").isEqualTo(placeOf(first) + 1);
    store.passSeconds(1_800);
    assertThat(store.take(other(5_000), true).status()).as("silent").isEqualTo(Status.TAKEN);
    assertThat(store.take(connection(1, 5_000), false).status()).isEqualTo(Status.NO_RECORD);
    assertThat(store.entries(BalancerTables.CONNECTIONS)).hasSize(2);
    assertThat(
            store.entries(BalancerTables.COUNTS).stream()
                .mapToLong(one -> one.value().longWordAt(0)))
        .as("the client, its port at both services, and both services: one each but for the client")
        .containsExactlyInAnyOrder(2L, 1L, 1L, 1L, 1L);
  }

  @Test
  void aConnectionThatItsVirtualIpTranslatesIsInNobodysWay() {
    shareOneMember();
    store.take(1, 5_000);
    store.ask(TranslateSource.command(connection(1, 5_000)));
    assertThat(store.take(other(5_000), true).status()).isEqualTo(Status.TAKEN);
  }

  @Test
  void aPacketOfAMemberFindsTheConnectionThatWasSeenLast() {
    shareOneMember();
    store.take(1, 5_000);
    Bytes old = store.entries(BalancerTables.CONNECTIONS).get(0).value();
    ConnectionRecord later =
        ConnectionRecord.of(old).seen(ConnectionRecord.of(old).seenSeconds() + 1);
    store.run(new Command.Put(BalancerTables.CONNECTIONS, other(5_000).bytes(), later.bytes()));
    ConnectionAnswer found =
        store.ask(
            FindReturn.command(
                TransportProtocol.TCP, ip("10.0.0.1"), 8_080, other(5_000).clientIp(), 5_000));
    assertThat(Objects.requireNonNull(found.connection()).key()).isEqualTo(other(5_000));
  }

  @Test
  void aSynOnAnOldRecordOfADrainedMemberTakesAnother() {
    store.take(1, 1);
    store.done(BalancerCommands.put(member(1, 1, Member.State.DRAIN), -1));
    store.passSeconds(130);
    assertThat(store.take(1, 1).status()).as("it may be repeated").isEqualTo(Status.KEPT);
    store.passSeconds(1);
    assertThat(store.take(connection(1, 1), false).status()).as("data").isEqualTo(Status.KEPT);
    ConnectionAnswer syn = store.take(1, 1);
    assertThat(syn.status()).isEqualTo(Status.TAKEN);
    assertThat(memberOf(syn)).isNotEqualTo(1);
    assertThat(store.entries(BalancerTables.CONNECTIONS)).hasSize(1);
  }

  @Test
  void aDatagramKeepsTheDrainedMemberOfItsConnection() {
    ServiceAddress dns = new ServiceAddress(TransportProtocol.UDP, BalancerStore.VIP, 53);
    VirtualIp vip = new VirtualIp("dns", dns, 24, 0, "web", 3_600, 100, 100);
    store.done(BalancerCommands.put(vip, Configure.ABSENT));
    ConnectionKey key = new ConnectionKey(ip("10.0.0.200"), 5, dns);
    assertThat(memberOf(store.take(key, true))).isEqualTo(1);
    store.done(BalancerCommands.put(member(1, 1, Member.State.DRAIN), -1));
    store.passSeconds(200);
    assertThat(memberOf(store.take(key, true))).isEqualTo(1);
  }

  @Test
  void onePortThatInventsClientsLeavesRoomForOthers() {
    VirtualIp vip = new VirtualIp("web", BalancerStore.WEB, 24, 0, "web", 60, 100, 10);
    store.done(BalancerCommands.put(vip, -1));
    IngressPort attacked = new IngressPort(-1, -2);
    for (int client = 1; client <= 75; client++) {
      assertThat(takeAt(attacked, client).status()).as("client %d", client).isEqualTo(Status.TAKEN);
    }
    ConnectionAnswer refused = takeAt(attacked, 76);
    assertThat(refused.status()).isEqualTo(Status.INGRESS_FULL);
    assertThat(takeAt(attacked, 75).status()).as("known").isEqualTo(Status.KEPT);
    assertThat(placeOf(takeAt(new IngressPort(-1, -3), 76))).isEqualTo(76);
    assertThat(takeAt(new IngressPort(7, -2), 77).status()).isEqualTo(Status.TAKEN);
    store.passSeconds(61);
    store.run(ExpireConnections.command());
    assertThat(store.entries(BalancerTables.COUNTS)).as("the cursor alone").hasSize(1);
    assertThat(takeAt(attacked, 76).status()).as("records went").isEqualTo(Status.TAKEN);
  }

  private ConnectionAnswer takeAt(IngressPort ingress, int client) {
    return store.ask(TakeMember.command(connection(client, 1), ingress, true));
  }

  @Test
  void aSmallVirtualIpLetsAPortTakeOne() {
    VirtualIp vip = new VirtualIp("web", BalancerStore.WEB, 24, 0, "web", 60, 1, 1);
    store.done(BalancerCommands.put(vip, -1));
    assertThat(store.take(1, 1).status()).isEqualTo(Status.TAKEN);
  }

  @Test
  void wrongBytesAreRefusedAndChangeNothing() {
    for (String component :
        List.of(
            TakeMember.NAME,
            FindReturn.NAME,
            TranslateSource.NAME,
            ExpireConnections.NAME,
            ReportHealth.NAME,
            Configure.NAME)) {
      for (int length = 0; length < 40; length++) {
        byte[] zeros = new byte[length];
        Reply reply = store.run(new Command.Call(component, Bytes.wrap(zeros)));
        assertThat(reply).as(component + " " + length).isInstanceOf(Reply.Rejected.class);
      }
    }
    assertThat(store.entries(BalancerTables.CONNECTIONS)).isEmpty();
  }
}
