package io.lockstep.core.node;

import static io.lockstep.core.node.TestCluster.domain;
import static io.lockstep.core.node.TestCluster.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.DomainMap;
import io.lockstep.core.cluster.DomainsTable;
import io.lockstep.core.cluster.DpidRange;
import io.lockstep.core.mastership.Fence;
import io.lockstep.core.mastership.FencedWrite;
import io.lockstep.core.mastership.ProposeDomains;
import io.lockstep.core.node.TestCluster.TestNode;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Nodes whose files disagree, and domains that change while nodes run. */
class DomainChangeTest {
  private static final int HOUR_MILLIS = 3_600_000;

  /** A domain whose first choice was late goes back to it soon. */
  private static final int HAND_BACK_MILLIS = 300;

  private static long propose(TestNode node, long decidedOn, DomainMap map) throws Exception {
    ProposeDomains.Answer answer =
        get(node.node.propose(decidedOn, map)).throwWhenUnknown().orThrow();
    assertThat(answer.accepted()).isTrue();
    return answer.version();
  }

  private static DomainMap move(TestNode node, long dpid, String domain) {
    return node.node.domains().current().map().with(new DpidRange(dpid, dpid), domain);
  }

  private static void awaitInForce(TestCluster cluster, long version) {
    cluster.await(
        "version " + version + " is in force on all",
        () ->
            cluster.nodes.values().stream()
                .allMatch(node -> node.node.domains().current().version() == version));
  }

  /** A dispute shows as roles that change; each look of a node at its domains could begin one. */
  private static void letTimePass(TestCluster cluster, TestNode node, int seconds) {
    CountDownLatch looks = new CountDownLatch(10 * seconds);
    for (int i = 1; i <= 10 * seconds; i++) {
      node.context.state().loop().schedule(100L * i, looks::countDown);
    }
    long until = cluster.clock.millis() + 1_000L * seconds;
    cluster.await("time", () -> looks.getCount() == 0 && cluster.clock.millis() >= until);
  }

  @Test
  void aNodeWhoseFileDiffersSaysSoAndDoesNotActOnIt() throws Exception {
    try (TestCluster cluster =
        new TestCluster(HAND_BACK_MILLIS, domain("west", 1, "n1"), domain("east", 2, "n2"))) {
      FakeSwitch disputed = cluster.newSwitch(0x11);
      FakeSwitch east = cluster.newSwitch(0x20);
      TestNode n1 = cluster.start("n1");
      awaitInForce(cluster, 1);
      cluster.domains =
          List.of(
              new DomainConfig("west", List.of(new DpidRange(0x10, 0x10)), List.of("n1")),
              new DomainConfig("east", List.of(new DpidRange(0x11, 0x2f)), List.of("n2")));
      TestNode n2 = cluster.start("n2");
      for (TestNode node : List.of(n1, n2)) {
        disputed.connect(node.name, node.node.switches());
        east.connect(node.name, node.node.switches());
      }
      cluster.await("n1 masters it", () -> n1.masters(disputed));
      cluster.await("n2 masters east", () -> n2.masters(east));
      cluster.await("n2 is a slave", () -> disputed.role("n2") == SwitchRole.SLAVE);
      int before = disputed.requests.size();
      letTimePass(cluster, n2, 5);
      assertThat(disputed.requests).hasSize(before);
      assertThat(disputed.master()).isEqualTo("n1");
      assertThat(n1.status().domainDifferences()).isEmpty();
      assertThat(n2.status().domainDifferences())
          .extracting(
              one -> one.node() + " " + one.place() + " " + one.here() + " " + one.cluster())
          .containsExactly(
              "n2 domain west: switches 10 10-1f", "n2 domain east: switches 11-2f 20-2f");
      assertThat(n2.status().domainVersions().inForce()).isEqualTo(1);
    }
  }

  @Test
  void aSwitchMovesToAMasterOfALowerEpochWithoutBeingMasteredTwice() throws Exception {
    try (TestCluster cluster =
        new TestCluster(HAND_BACK_MILLIS, domain("west", 1, "n1"), domain("east", 2, "n2"))) {
      FakeSwitch moving = cluster.newSwitch(0x11);
      FakeSwitch staying = cluster.newSwitch(0x10);
      staying.rememberGeneration(40, true);
      TestNode n1 = cluster.start("n1");
      TestNode n2 = cluster.start("n2");
      TestNode n3 = cluster.start("n3");
      for (TestNode node : List.of(n1, n2, n3)) {
        moving.connect(node.name, node.node.switches());
        staying.connect(node.name, node.node.switches());
      }
      cluster.await("n1 masters both", () -> n1.masters(moving) && n1.masters(staying));
      cluster.await("east is claimed", () -> n2.context.ownership().ownDomain("east") != null);
      cluster.await("n1 is above 40", () -> n1.mastery.epoch(moving.deviceId()) > 40);
      Fence old = Objects.requireNonNull(n1.context.fencing().fence(moving.deviceId()));
      int requests = moving.requests.size();
      int heard = n1.told.heard.size();

      awaitInForce(cluster, propose(n3, 1, move(n1, 0x11, "east")));
      cluster.await("n2 masters it", () -> n2.masters(moving));
      assertThat(n1.masters(moving)).isFalse();
      assertThat(moving.master()).isEqualTo("n2");
      assertThat(n2.mastery.epoch(moving.deviceId())).isGreaterThan(old.epoch());
      // The other nodes' requests come meanwhile.
      assertThat(moving.requests.stream().skip(requests))
          .as("no generation id was stale")
          .filteredOn(request -> request.contains("MASTER"))
          .containsExactly("n2 MASTER " + n2.mastery.epoch(moving.deviceId()));
      assertThat(n1.told.heard.stream().skip(heard)).contains("lost " + moving.deviceId());
      Reply late =
          get(
              n1.store.submit(
                  FencedWrite.command(
                      old,
                      List.of(
                          new FencedWrite.Write.Put(
                              "net.test", Bytes.utf8("k"), Bytes.utf8("stale"))))));
      assertThat(late)
          .isInstanceOfSatisfying(
              Reply.Rejected.class, no -> assertThat(no.message()).contains("fenced"));
      cluster.await("n1 masters the other one still", () -> n1.masters(staying));
      cluster.await(
          "n1 knows its files differ",
          () ->
              n1.status().domainDifferences().size() == 2
                  && n3.status().domainDifferences().size() == 2);
    }
  }

  /** Switches without roles have no other fence: the new master waits for the old one. */
  @Test
  void theNewMasterBeginsOnlyWhenTheSwitchIsDoneWithTheOldOne() throws Exception {
    try (TestCluster cluster =
        new TestCluster(HAND_BACK_MILLIS, domain("west", 1, "n1"), domain("east", 2, "n2"))) {
      FakeSwitch moving = cluster.newSwitch(0x11);
      CompletableFuture<Boolean> still = new CompletableFuture<>();
      moving.still = still;
      TestNode n1 = cluster.start("n1");
      TestNode n2 = cluster.start("n2");
      moving.connect("n1", n1.node.switches());
      moving.connect("n2", n2.node.switches());
      cluster.await("n1 masters it", () -> n1.masters(moving));
      cluster.await("east is claimed", () -> n2.context.ownership().ownDomain("east") != null);

      propose(n2, 1, move(n1, 0x11, "east"));
      cluster.await("n1 stands down", () -> moving.stoodDown.contains("n1"));
      assertThat(n1.masters(moving)).isFalse();
      cluster.await("n2 knows", () -> n2.status().domainVersions().next() == 2);
      letTimePass(cluster, n2, 2);
      assertThat(n2.masters(moving)).isFalse();
      assertThat(n1.status().domainVersions().inForce()).isEqualTo(1);
      assertThat(n2.status().domainVersions().next()).isEqualTo(2);
      assertThat(n2.status().domainVersions().waitsFor()).contains("n1");

      still.complete(true);
      cluster.await("n2 masters it", () -> n2.masters(moving));
      awaitInForce(cluster, 2);
    }
  }

  @Test
  void aVersionComesIntoForceWithoutANodeThatDies() throws Exception {
    try (TestCluster cluster =
        new TestCluster(HOUR_MILLIS, domain("west", 1, "n1"), domain("east", 2, "n2"))) {
      FakeSwitch moving = cluster.newSwitch(0x11);
      TestNode n1 = cluster.start("n1");
      TestNode n2 = cluster.start("n2");
      moving.connect("n1", n1.node.switches());
      moving.connect("n2", n2.node.switches());
      cluster.await("n1 masters it", () -> n1.masters(moving));
      DomainMap map = move(n1, 0x11, "east");
      n1.gate.open = false;
      propose(n2, 1, map);
      cluster.await("n2 masters it", () -> n2.masters(moving));
      assertThat(n1.masters(moving)).as("its lease ran out before").isFalse();

      n1.gate.open = true;
      cluster.await("n1 takes part again", n1.node::hasQuorum);
      awaitInForce(cluster, 2);
      cluster.await("n1 is a slave", () -> moving.role("n1") == SwitchRole.SLAVE);
      assertThat(n2.masters(moving)).isTrue();
    }
  }

  @Test
  void domainsComeAndGoWhileNodesRun() throws Exception {
    try (TestCluster cluster = new TestCluster(HAND_BACK_MILLIS, domain("west", 1, "n1"))) {
      FakeSwitch west = cluster.newSwitch(0x10);
      FakeSwitch unlisted = cluster.newSwitch(0x30);
      TestNode n1 = cluster.start("n1");
      TestNode n2 = cluster.start("n2");
      for (TestNode node : List.of(n1, n2)) {
        west.connect(node.name, node.node.switches());
        unlisted.connect(node.name, node.node.switches());
      }
      cluster.await("n1 masters west", () -> n1.masters(west));
      assertThat(unlisted.requests).isEmpty();

      DomainMap other =
          DomainMap.of(
              List.of(
                  new DomainConfig("north", List.of(new DpidRange(0x30, 0x3f)), List.of("n2"))));
      awaitInForce(cluster, propose(n1, 1, other));
      cluster.await("n2 masters the one that was unlisted", () -> n2.masters(unlisted));
      assertThat(n1.masters(west) || n2.masters(west)).isFalse();
      assertThat(n2.status().domains())
          .extracting(NodeStatus.DomainInfo::name)
          .containsExactly("north");

      awaitInForce(cluster, propose(n1, 2, other.with(new DpidRange(0x10, 0x10), "north")));
      cluster.await("n2 masters both", () -> n2.masters(unlisted) && n2.masters(west));
      assertThat(west.requests.stream().filter(one -> one.contains("MASTER")))
          .as("the generation ids grow across domains that came and went")
          .hasSize(2);
    }
  }

  @Test
  void aNodeThatCannotReadTheDomainsActsOnNoSwitchAndSaysWhy() throws Exception {
    try (TestCluster cluster = new TestCluster(HOUR_MILLIS, domain("west", 1, "n1"))) {
      FakeSwitch west = cluster.newSwitch(0x10);
      TestNode n1 = cluster.start("n1");
      west.connect("n1", n1.node.switches());
      cluster.await("n1 masters it", () -> n1.masters(west));
      Bytes newer = Bytes.wrap(new byte[] {9, 1, 2});
      get(
          n1.store.submit(
              new Command.Put(DomainsTable.NAME, Bytes.utf8(DomainsTable.CURRENT), newer)));
      cluster.await("n1 lets it go", () -> !n1.masters(west));
      assertThat(n1.status().domainVersions().unreadable())
          .isEqualTo(
              "the domains in the store have format 9, this release reads format 1: run the newer"
                  + " release");
      letTimePass(cluster, n1, 2);
      assertThat(n1.masters(west)).isFalse();
      assertThat(n1.status().domains()).isEmpty();
    }
  }
}
