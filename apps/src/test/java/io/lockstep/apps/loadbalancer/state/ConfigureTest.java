package io.lockstep.apps.loadbalancer.state;

import static io.lockstep.apps.loadbalancer.state.BalancerStore.ip;
import static io.lockstep.apps.loadbalancer.state.BalancerStore.member;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.apps.loadbalancer.state.ConfigOutcome.Kind;
import io.lockstep.store.Command;
import org.junit.jupiter.api.Test;

class ConfigureTest {
  private final BalancerStore store = new BalancerStore().withWeb(1, 2);

  private static VirtualIp vip(String name, String ip, int port, int prefixLength, int vlan) {
    ServiceAddress service = new ServiceAddress(TransportProtocol.TCP, ip(ip), port);
    return new VirtualIp(name, service, prefixLength, vlan, "web", 3_600, 100, 100);
  }

  private static Member other(String name, String pool, String ip, int port) {
    return new Member(name, pool, ip(ip), port, 1, Member.State.ENABLED);
  }

  private void refused(Command command, Kind kind, String field, String problem) {
    ConfigOutcome outcome = store.configure(command);
    assertThat(outcome.kind()).isEqualTo(kind);
    assertThat(outcome.field()).isEqualTo(field);
    assertThat(outcome.problem()).contains(problem);
  }

  @Test
  void aChangeNeedsTheVersionThatItWasDecidedOn() {
    ConfigOutcome first = store.configure(BalancerCommands.put(member(1, 5, STATE), -1));
    assertThat(first.kind()).isEqualTo(Kind.DONE);
    ConfigOutcome mine =
        store.configure(BalancerCommands.put(member(1, 6, STATE), first.version()));
    assertThat(mine.kind()).isEqualTo(Kind.DONE);
    ConfigOutcome theirs =
        store.configure(BalancerCommands.put(member(1, 7, STATE), first.version()));
    assertThat(theirs.kind()).isEqualTo(Kind.OTHER_VERSION);
    assertThat(theirs.version()).isEqualTo(mine.version());
    assertThat(store.configure(BalancerCommands.put(member(1, 7, STATE), 0)).kind())
        .isEqualTo(Kind.EXISTS);
    assertThat(store.configure(BalancerCommands.put(member(9, 7, STATE), 77)).kind())
        .isEqualTo(Kind.NOT_FOUND);
    assertThat(store.configure(BalancerCommands.removeMember("m1", first.version())).kind())
        .isEqualTo(Kind.OTHER_VERSION);
    assertThat(store.configure(BalancerCommands.removeMember("m1", mine.version())).kind())
        .isEqualTo(Kind.DONE);
    assertThat(store.configure(BalancerCommands.removeMember("m1", -1)).kind())
        .isEqualTo(Kind.NOT_FOUND);
  }

  private static final Member.State STATE = Member.State.ENABLED;

  @Test
  void aReportOnHealthIsNoChangeOfTheConfiguration() {
    long version = store.configure(BalancerCommands.put(member(1, 5, STATE), -1)).version();
    store.run(ReportHealth.command(member(1, 5, STATE), true));
    assertThat(store.configure(BalancerCommands.put(member(1, 6, STATE), version)).kind())
        .isEqualTo(Kind.DONE);
  }

  @Test
  void overlappingVirtualIpsAreRefused() {
    refused(
        BalancerCommands.put(vip("two", "10.0.0.100", 80, 24, 0), 0),
        Kind.INVALID,
        "address",
        "web has tcp 10.0.0.100:80 already");
    refused(
        BalancerCommands.put(vip("two", "10.0.0.100", 81, 24, 7), 0),
        Kind.INVALID,
        "vlan",
        "VLAN 0");
    refused(
        BalancerCommands.put(vip("two", "10.0.0.100", 81, 16, 0), 0),
        Kind.INVALID,
        "prefixLength",
        "24");
    store.done(BalancerCommands.put(vip("two", "10.0.0.100", 81, 24, 0), 0));
  }

  @Test
  void aServiceThatIsSetElsewhereLeavesItsOldAddress() {
    store.done(BalancerCommands.put(vip("web", "10.0.0.101", 80, 24, 0), -1));
    store.done(BalancerCommands.put(vip("two", "10.0.0.100", 80, 24, 0), 0));
    assertThat(store.entries(BalancerTables.SERVICES)).hasSize(2);
    store.done(BalancerCommands.removeVip("web", -1));
    store.done(BalancerCommands.removeVip("two", -1));
    assertThat(store.entries(BalancerTables.SERVICES)).isEmpty();
  }

  @Test
  void membersOutsideOfTheSubnetAreRefusedFromBothSides() {
    refused(
        BalancerCommands.put(other("m9", "web", "10.0.1.9", 80), 0),
        Kind.INVALID,
        "address",
        "not in the subnet of virtual IP web, 10.0.0.100/24");
    refused(
        BalancerCommands.put(vip("two", "10.7.0.100", 80, 24, 0), 0),
        Kind.INVALID,
        "pool",
        "member m1");
  }

  @Test
  void aMemberIsNotTheVirtualIpAndNoAddressIsThereTwice() {
    refused(
        BalancerCommands.put(other("m9", "web", "10.0.0.100", 80), 0),
        Kind.INVALID,
        "address",
        "virtual IP web and of member m9");
    refused(
        BalancerCommands.put(vip("two", "10.0.0.1", 80, 24, 0), 0),
        Kind.INVALID,
        "address",
        "and of member m1");
    refused(
        BalancerCommands.put(other("m9", "web", "10.0.0.1", 8_080), 0),
        Kind.INVALID,
        "address",
        "member m1 of the same pool");
  }

  @Test
  void unknownPoolsAndPoolsInUseAreRefused() {
    refused(
        BalancerCommands.put(other("m9", "none", "10.0.0.9", 80), 0),
        Kind.INVALID,
        "pool",
        "no pool none");
    refused(
        BalancerCommands.put(
            VirtualIp.usual(
                "two", new ServiceAddress(TransportProtocol.TCP, ip("10.0.0.9"), 1), "x"),
            0),
        Kind.INVALID,
        "pool",
        "no pool x");
    refused(BalancerCommands.removePool("web", -1), Kind.IN_USE, "name", "virtual IP web");
    store.done(BalancerCommands.removeVip("web", -1));
    refused(BalancerCommands.removePool("web", -1), Kind.IN_USE, "name", "member m1");
    store.done(BalancerCommands.removeMember("m1", -1));
    store.done(BalancerCommands.removeMember("m2", -1));
    store.done(BalancerCommands.removePool("web", -1));
    for (String table : BalancerTables.all().keySet()) {
      assertThat(store.entries(table)).as(table).isEmpty();
    }
  }

  @Test
  void membersOfAPoolAndConnectionsOfAllAreBounded() {
    for (int i = 3; i <= Pool.MOST_MEMBERS; i++) {
      store.done(BalancerCommands.put(other("m" + i, "web", "10.0.0.3", i), 0));
    }
    refused(
        BalancerCommands.put(other("more", "web", "10.0.0.3", 999), 0),
        Kind.INVALID,
        "pool",
        "64 members already");
    VirtualIp greedy =
        new VirtualIp(
            "two",
            new ServiceAddress(TransportProtocol.TCP, ip("10.0.0.101"), 80),
            24,
            0,
            "web",
            60,
            VirtualIp.MOST_CONNECTIONS,
            1);
    refused(BalancerCommands.put(greedy, 0), Kind.INVALID, "maxConnections", "give less");
  }

  @Test
  void fieldsThatAreNeverAllowedAreNamed() {
    assertThatThrownBy(() -> member(1, 0, STATE)).hasMessageContaining("weight: 0 is not allowed");
    assertThatThrownBy(() -> member(1, 257, STATE)).hasMessageContaining("from 1 to 256");
    assertThatThrownBy(() -> other("M", "web", "10.0.0.3", 1)).hasMessageContaining("name: 'M'");
    assertThatThrownBy(() -> other("m", "web", "224.0.0.3", 1)).hasMessageContaining("address");
    assertThatThrownBy(() -> other("m", "web", "10.0.0.256", 1)).hasMessageContaining("no IPv4");
    assertThatThrownBy(() -> other("m", "web", "10.0.0.3", 0)).hasMessageContaining("port: 0");
    assertThatThrownBy(() -> vip("v", "10.0.0.9", 80, 33, 0)).hasMessageContaining("prefixLength");
    assertThatThrownBy(() -> vip("v", "10.0.0.9", 80, 24, 4_095)).hasMessageContaining("vlan");
    assertThatThrownBy(() -> new Pool("p", Pool.Method.WEIGHTED, Pool.Probe.TCP, 199, 1, 1))
        .hasMessageContaining("intervalMillis: 199");
  }

  @Test
  void aPoolThatIsNoLongerProbedHasNoMemberThatIsDown() {
    store.run(ReportHealth.command(member(1, 1, STATE), true));
    store.done(BalancerCommands.put(Pool.usual("web", Pool.Method.WEIGHTED, Pool.Probe.NONE), -1));
    assertThat(store.entries(BalancerTables.HEALTH)).isEmpty();
    assertThat(BalancerStore.memberOf(store.take(1, 1))).isEqualTo(2);
    assertThat(BalancerStore.memberOf(store.take(1, 2))).isEqualTo(1);
  }

  private void poolThatIsNotProbed() {
    Pool quiet = Pool.usual("quiet", Pool.Method.WEIGHTED, Pool.Probe.NONE);
    store.done(BalancerCommands.put(quiet, Configure.ABSENT));
  }

  @Test
  void aMemberThatMovesToAPoolWithoutProbesIsUp() {
    poolThatIsNotProbed();
    store.run(ReportHealth.command(member(1, 1, STATE), true));
    store.done(BalancerCommands.put(other("m1", "quiet", "10.0.0.1", 8_080), -1));
    assertThat(store.entries(BalancerTables.HEALTH)).isEmpty();
  }

  @Test
  void aLateReportOnAMemberThatIsNotProbedChangesNothing() {
    poolThatIsNotProbed();
    Member moved = other("m1", "quiet", "10.0.0.1", 8_080);
    store.done(BalancerCommands.put(moved, -1));
    store.run(ReportHealth.command(moved, true));
    assertThat(store.entries(BalancerTables.HEALTH)).isEmpty();
  }
}
