package io.lockstep.core.node;

import static io.lockstep.core.node.TestCluster.domain;
import static io.lockstep.core.node.TestCluster.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.DpidRange;
import io.lockstep.core.cluster.Member;
import io.lockstep.core.mastership.Fence;
import io.lockstep.core.mastership.FencedWrite;
import io.lockstep.core.node.TestCluster.TestNode;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import io.lockstep.store.Bytes;
import io.lockstep.store.Reply;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Several nodes over one store, with switches that keep roles and generation ids. */
class ControllerNodeTest {
  private static final int HOUR_MILLIS = 3_600_000;

  /** Not less than the time between two looks of a node at its domains. */
  private static final long LOOK_MILLIS = 250;

  @Test
  void eachDomainIsMasteredByItsPreferredNodeAndEverySwitchKnowsIt() throws Exception {
    try (TestCluster cluster =
        new TestCluster(HOUR_MILLIS, domain("east", 1, "n1"), domain("west", 2, "n2"))) {
      FakeSwitch east = cluster.newSwitch(0x10);
      FakeSwitch west = cluster.newSwitch(0x20);
      FakeSwitch stray = cluster.newSwitch(0x30);
      cluster.roadsOpen = false;
      for (String name : List.of("n3", "n2", "n1")) {
        TestNode node = cluster.start(name);
        east.connect(name, node.node.switches());
        west.connect(name, node.node.switches());
        stray.connect(name, node.node.switches());
      }
      TestNode n1 = cluster.node("n1");
      TestNode n2 = cluster.node("n2");
      TestNode n3 = cluster.node("n3");
      List.of(n3, n2, n1).forEach(node -> node.gate.open = true);
      cluster.await("n1 masters east", () -> n1.masters(east));
      cluster.await("n2 masters west", () -> n2.masters(west));
      cluster.await(
          "the others are slaves, and n1's listeners know",
          () ->
              !n1.told.heard.isEmpty()
                  && east.role("n2") == SwitchRole.SLAVE
                  && east.role("n3") == SwitchRole.SLAVE
                  && west.role("n1") == SwitchRole.SLAVE
                  && west.role("n3") == SwitchRole.SLAVE);
      assertThat(n1.mastery.epoch(east.deviceId())).isEqualTo(1);
      assertThat(n1.masters(west)).isFalse();
      assertThat(n1.mastery.epoch(west.deviceId())).isEqualTo(-1);
      assertThat(n1.mastery.connected(west.deviceId())).isNotNull();
      assertThat(stray.requests).isEmpty();
      assertThat(n1.told.heard).containsExactly("gained " + east.deviceId() + " 1");
      cluster.await(
          "n3 knows all of it",
          () ->
              n3.status().domains().stream()
                      .map(domain -> domain.name() + " " + domain.master() + " " + domain.epoch())
                      .toList()
                      .equals(List.of("east n1 1", "west n2 1"))
                  && n3.status().switches().size() == 3
                  && n3.status().switches().get(0).connectedTo().equals(List.of("n1", "n2", "n3"))
                  && n3.status().switches().get(0).available()
                  && n3.status().nodes().stream().allMatch(NodeStatus.NodeInfo::ready));
    }
  }

  @Test
  void aNodeTakesOverWhenTheMastersSessionEnds() throws Exception {
    try (TestCluster cluster = new TestCluster(HOUR_MILLIS, domain("east", 1, "n1"))) {
      FakeSwitch east = cluster.newSwitch(0x10);
      TestNode n1 = cluster.start("n1");
      TestNode n2 = cluster.start("n2");
      east.connect("n1", n1.node.switches());
      east.connect("n2", n2.node.switches());
      cluster.await("n1 masters east", () -> n1.masters(east));
      cluster.await("n2 is a slave", () -> east.role("n2") == SwitchRole.SLAVE);

      n1.stop();

      cluster.await("n2 masters east", () -> n2.masters(east));
      assertThat(n2.mastery.epoch(east.deviceId())).isEqualTo(2);
      assertThat(east.master()).isEqualTo("n2");
      assertThat(n1.masters(east)).isFalse();
      assertThat(east.requests).endsWith("n2 MASTER 2");
      cluster.await("n1 is seen to be gone", () -> !n2.status().nodes().get(0).alive());
    }
  }

  @Test
  void aNodeWithoutQuorumStepsDownIsReplacedAndComesBackByItself() throws Exception {
    try (TestCluster cluster = new TestCluster(HOUR_MILLIS, domain("east", 1, "n1"))) {
      FakeSwitch east = cluster.newSwitch(0x10);
      TestNode n1 = cluster.start("n1");
      TestNode n2 = cluster.start("n2");
      east.connect("n1", n1.node.switches());
      east.connect("n2", n2.node.switches());
      cluster.await("n1 masters east", () -> n1.masters(east));
      Fence old = Objects.requireNonNull(n1.context.fencing().fence(east.deviceId()));

      n1.gate.open = false;
      cluster.await("n1 steps down", () -> n1.told.heard.contains("lost " + east.deviceId()));
      assertThat(n1.masters(east)).isFalse();
      assertThat(n1.node.hasQuorum()).isFalse();
      assertThat(n1.context.fencing().fence(east.deviceId())).isNull();
      assertThat(n1.status().quorum()).isFalse();
      assertThat(n1.status().reason()).contains("no quorum");
      assertThat(n1.mastery.connected(east.deviceId())).isNotNull();
      cluster.await("n1 stands down", () -> east.stoodDown.contains("n1"));
      cluster.await("n2 masters east", () -> n2.masters(east));

      n1.gate.open = true;
      cluster.await("n1 takes part again", n1.node::hasQuorum);
      Reply late =
          get(n1.store.submit(FencedWrite.command(old, List.of(put("net.test", "k", "stale")))));
      assertThat(late)
          .isInstanceOfSatisfying(
              Reply.Rejected.class, rejected -> assertThat(rejected.message()).contains("fenced"));
      cluster.await("n1 is a slave", () -> east.role("n1") == SwitchRole.SLAVE);
      assertThat(n2.masters(east)).isTrue();
      assertThat(n1.status().quorum()).isTrue();
    }
  }

  @Test
  void theLeaseIsJudgedByTheLocalClockAtEveryQuestion() throws Exception {
    try (TestCluster cluster = new TestCluster(HOUR_MILLIS, domain("east", 1, "n1"))) {
      FakeSwitch east = cluster.newSwitch(0x10);
      TestNode n1 = cluster.start("n1");
      east.connect("n1", n1.node.switches());
      cluster.await("n1 masters east", () -> n1.masters(east));

      n1.gate.open = false;
      n1.clockOffsetNanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
      assertThat(n1.masters(east)).isFalse();
      assertThat(n1.mastery.epoch(east.deviceId())).isEqualTo(-1);
      assertThat(n1.context.fencing().fence(east.deviceId())).isNull();
      cluster.await("they hear it", () -> n1.told.heard.contains("lost " + east.deviceId()));

      n1.gate.open = true;
      cluster.await("n1 masters east again", () -> n1.masters(east));
    }
  }

  @Test
  void aStaleAnswerRaisesTheEpochAboveTheSwitchsGeneration() throws Exception {
    try (TestCluster cluster = new TestCluster(HOUR_MILLIS, domain("east", 1, "n1"))) {
      FakeSwitch plain = cluster.newSwitch(0x10);
      FakeSwitch old = cluster.newSwitch(0x11);
      FakeSwitch silent = cluster.newSwitch(0x12);
      old.rememberGeneration(41, true);
      silent.rememberGeneration(70, false);
      TestNode n1 = cluster.start("n1");
      plain.connect("n1", n1.node.switches());
      old.connect("n1", n1.node.switches());
      silent.connect("n1", n1.node.switches());
      // While the epoch is raised n1 masters none of them.
      cluster.await(
          "n1 masters all in one epoch",
          () ->
              n1.mastery.epoch(old.deviceId()) > 70
                  && n1.mastery.epoch(plain.deviceId()) == n1.mastery.epoch(old.deviceId())
                  && n1.mastery.epoch(silent.deviceId()) == n1.mastery.epoch(old.deviceId()));
      assertThat(old.requests.stream().filter(request -> request.endsWith(" 1")).count())
          .isLessThanOrEqualTo(1);
    }
  }

  @Test
  void aWildGenerationDoesNotDisturbTheDomain() throws Exception {
    try (TestCluster cluster = new TestCluster(HOUR_MILLIS, domain("east", 1, "n1"))) {
      FakeSwitch plain = cluster.newSwitch(0x10);
      FakeSwitch wild = cluster.newSwitch(0x11);
      wild.rememberGeneration(Long.MAX_VALUE - 5, true);
      TestNode n1 = cluster.start("n1");
      wild.connect("n1", n1.node.switches());
      plain.connect("n1", n1.node.switches());
      cluster.await("n1 masters the plain one", () -> n1.masters(plain));
      cluster.await(
          "the trouble shows",
          () -> n1.status().switches().stream().anyMatch(one -> one.trouble().contains("STALE")));
      assertThat(n1.mastery.epoch(plain.deviceId())).isEqualTo(1);
      assertThat(n1.masters(wild)).isFalse();
    }
  }

  /** Each raise of the epoch costs all switches of the domain their role for a moment. */
  @Test
  void switchThatReconnectsAndRefusesDoesNotRaiseTheEpochWithoutEnd() throws Exception {
    try (TestCluster cluster = new TestCluster(HOUR_MILLIS, domain("east", 1, "n1"))) {
      FakeSwitch plain = cluster.newSwitch(0x10);
      FakeSwitch wild = cluster.newSwitch(0x11);
      TestNode n1 = cluster.start("n1");
      plain.connect("n1", n1.node.switches());
      cluster.await("n1 masters the plain one", () -> n1.masters(plain));
      for (int i = 1; i <= 20; i++) {
        String said = "generation id is " + 100 * i;
        wild.rememberGeneration(100L * i, true);
        wild.connect("n1", n1.node.switches());
        cluster.await(
            "this connection was asked",
            () ->
                wild.role("n1") == SwitchRole.MASTER
                    || n1.status().switches().stream()
                        .anyMatch(one -> one.trouble().contains(said)));
        wild.disconnect("n1");
      }
      cluster.await("n1 masters the plain one still", () -> n1.masters(plain));
      // Four times, to 401. Without end it would be near 2000.
      assertThat(n1.mastery.epoch(plain.deviceId())).isLessThan(1_500);
    }
  }

  @Test
  void aDomainGoesBackToItsPreferredNodeOnceThatReachesAllSwitches() throws Exception {
    try (TestCluster cluster = new TestCluster(300, domain("east", 1, "n1"))) {
      FakeSwitch one = cluster.newSwitch(0x10);
      FakeSwitch two = cluster.newSwitch(0x11);
      TestNode n2 = cluster.start("n2");
      one.connect("n2", n2.node.switches());
      two.connect("n2", n2.node.switches());
      cluster.await("n2 masters both", () -> n2.masters(one) && n2.masters(two));
      cluster.await("n2 has told", () -> n2.context.connections().connected("n2", two.dpid()));

      TestNode n1 = cluster.start("n1");
      one.connect("n1", n1.node.switches());
      cluster.await("n1 is connected to one", () -> one.role("n1") == SwitchRole.SLAVE);
      cluster.await("n2 knows", () -> n2.context.connections().connected("n1", one.dpid()));
      ticks(cluster, n2, 4);
      assertThat(n2.masters(one) && n2.masters(two)).isTrue();

      two.connect("n1", n1.node.switches());
      cluster.await("n1 masters both", () -> n1.masters(one) && n1.masters(two));
      assertThat(n1.mastery.epoch(one.deviceId())).isEqualTo(2);
      assertThat(n2.masters(one) || n2.masters(two)).isFalse();
      cluster.await("n2 is a slave", () -> one.role("n2") == SwitchRole.SLAVE);
    }
  }

  /** The fence of switches without roles: the next master is not named before. */
  @Test
  void aDomainIsHandedOverOnlyWhenItsSwitchesAreDoneWithTheOldMaster() throws Exception {
    try (TestCluster cluster = new TestCluster(300, domain("east", 1, "n1"))) {
      FakeSwitch one = cluster.newSwitch(0x10);
      CompletableFuture<Boolean> still = new CompletableFuture<>();
      one.still = still;
      TestNode n2 = cluster.start("n2");
      one.connect("n2", n2.node.switches());
      cluster.await("n2 masters it", () -> n2.masters(one));
      TestNode n1 = cluster.start("n1");
      one.connect("n1", n1.node.switches());
      cluster.await("n2 stands down", () -> one.stoodDown.contains("n2"));
      assertThat(n2.masters(one)).isFalse();
      ticks(cluster, n2, 4);
      assertThat(n1.masters(one)).isFalse();
      assertThat(n2.status().domains().get(0).master()).isEqualTo("n2");

      still.complete(true);
      cluster.await("n1 masters it", () -> n1.masters(one));
    }
  }

  @Test
  void aSwitchOutOfReachIsHandedToANodeThatReachesIt() throws Exception {
    try (TestCluster cluster = new TestCluster(HOUR_MILLIS, domain("east", 1, "n1"))) {
      FakeSwitch near = cluster.newSwitch(0x10);
      FakeSwitch far = cluster.newSwitch(0x11);
      TestNode n1 = cluster.start("n1");
      TestNode n2 = cluster.start("n2");
      near.connect("n1", n1.node.switches());
      near.connect("n2", n2.node.switches());
      far.connect("n2", n2.node.switches());
      cluster.await("n1 masters the near one", () -> n1.masters(near));
      cluster.await("n2 masters the far one", () -> n2.masters(far));
      assertThat(n2.mastery.epoch(far.deviceId())).isGreaterThan(n1.mastery.epoch(near.deviceId()));
      assertThat(n2.masters(near)).isFalse();
      cluster.await(
          "n1 shows it",
          () -> {
            NodeStatus.SwitchInfo shown = n1.status().switches().get(1);
            return shown.delegated() && "n2".equals(shown.master());
          });
      cluster.await("its record is written", () -> n1.status().switches().get(1).available());
      long delegated = n2.mastery.epoch(far.deviceId());

      far.connect("n1", n1.node.switches());
      cluster.await("n1 takes it back", () -> n1.masters(far) && !n2.masters(far));
      assertThat(n1.mastery.epoch(far.deviceId())).isGreaterThan(delegated);
      cluster.await("n1 masters the near one", () -> n1.masters(near));
    }
  }

  @Test
  void aDelegatedSwitchComesBackWhenItsNodeDies() throws Exception {
    try (TestCluster cluster = new TestCluster(HOUR_MILLIS, domain("east", 1, "n1"))) {
      FakeSwitch far = cluster.newSwitch(0x11);
      TestNode n1 = cluster.start("n1");
      TestNode n2 = cluster.start("n2");
      TestNode n3 = cluster.start("n3");
      far.connect("n2", n2.node.switches());
      far.connect("n3", n3.node.switches());
      cluster.await("n2 masters it", () -> n2.masters(far));
      n2.stop();
      cluster.await("n3 masters it", () -> n3.masters(far));
      assertThat(n1.status().domains().get(0).master()).isEqualTo("n1");
    }
  }

  @Test
  void twoHundredSwitchesAreTakenOverTogether() throws Exception {
    try (TestCluster cluster = new TestCluster(HOUR_MILLIS, domain("all", 0, "n1"))) {
      cluster.domains = List.of(new DomainConfig("all", List.of(DpidRange.all()), List.of("n1")));
      List<FakeSwitch> switches = new ArrayList<>();
      for (int i = 1; i <= 200; i++) {
        switches.add(cluster.newSwitch(i));
      }
      TestNode n1 = cluster.start("n1");
      TestNode n2 = cluster.start("n2");
      for (FakeSwitch one : switches) {
        one.connect("n1", n1.node.switches());
        one.connect("n2", n2.node.switches());
      }
      cluster.await("n1 masters all", () -> switches.stream().allMatch(n1::masters));
      cluster.await(
          "all are known",
          () -> n2.status().switches().stream().filter(s -> s.available()).count() == 200);
      n1.stop();
      cluster.await("n2 masters all", () -> switches.stream().allMatch(n2::masters));
    }
  }

  @Test
  void aKilledProcessIsWitnessedAndReplacedLongBeforeItsLeaseRunsOut() throws Exception {
    try (TestCluster cluster = new TestCluster(HOUR_MILLIS, domain("east", 1, "n1"));
        ServerSocket port1 = new ServerSocket(0);
        ServerSocket port2 = new ServerSocket(0)) {
      cluster.timeToLiveMillis = 600_000;
      cluster.members =
          List.of(
              new Member("n1", "127.0.0.1", port1.getLocalPort()),
              new Member("n2", "127.0.0.1", port2.getLocalPort()));
      port1.close();
      port2.close();
      FakeSwitch east = cluster.newSwitch(0x10);
      TestNode n1 = cluster.start("n1");
      TestNode n2 = cluster.start("n2");
      east.connect("n1", n1.node.switches());
      east.connect("n2", n2.node.switches());
      cluster.await("n1 masters east", () -> n1.masters(east));
      cluster.await("n2 watches n1", () -> n2.status().witnessed().contains("n1"));

      n1.kill();
      cluster.await("n2 masters east", () -> n2.masters(east));
      assertThat(n2.mastery.epoch(east.deviceId())).isEqualTo(2);
    }
  }

  @Test
  void aRestartedProcessEndsTheSessionOfItsPredecessor() throws Exception {
    try (TestCluster cluster = new TestCluster(HOUR_MILLIS, domain("east", 1, "n1"))) {
      cluster.timeToLiveMillis = 600_000;
      FakeSwitch east = cluster.newSwitch(0x10);
      TestNode first = cluster.start("n1");
      east.connect("n1", first.node.switches());
      cluster.await("n1 masters east", () -> first.masters(east));
      first.kill();

      TestNode second = cluster.start("n1");
      east.connect("n1", second.node.switches());
      cluster.await("the new n1 masters east", () -> second.masters(east));
      assertThat(second.mastery.epoch(east.deviceId())).isEqualTo(2);
    }
  }

  private static FencedWrite.Write put(String table, String key, String value) {
    return new FencedWrite.Write.Put(table, Bytes.utf8(key), Bytes.utf8(value));
  }

  /** Lets some looks at the domains pass by, and their time. */
  private static void ticks(TestCluster cluster, TestNode node, int count) {
    CountDownLatch looks = new CountDownLatch(count);
    for (int i = 1; i <= count; i++) {
      node.context.state().loop().schedule(LOOK_MILLIS * i, looks::countDown);
    }
    long until = cluster.clock.millis() + LOOK_MILLIS * count;
    cluster.await(count + " looks", () -> looks.getCount() == 0 && cluster.clock.millis() >= until);
  }
}
