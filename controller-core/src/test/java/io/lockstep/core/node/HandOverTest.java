package io.lockstep.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.mastership.HandOverTable;
import io.lockstep.core.node.TestCluster.TestNode;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How a domain goes from one living node to another, and how a node stops. */
class HandOverTest {
  private static final int HOUR_MILLIS = 3_600_000;

  private static boolean planned(TestNode node, String domain) throws Exception {
    Reply reply =
        TestCluster.get(node.store.submit(new Command.Get(HandOverTable.NAME, Bytes.utf8(domain))));
    return reply instanceof Reply.Found;
  }

  private static void awaitNoPlan(TestCluster cluster, TestNode node, String domain) {
    cluster.await(
        "no plan is left",
        () -> {
          try {
            return !planned(node, domain);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  /** A stop as the process does it, on a thread of its own. */
  private static CompletableFuture<Void> retire(TestNode node) {
    return CompletableFuture.runAsync(node.node::retire);
  }

  @Test
  void nextMasterListensBeforeTheOldOneStopsAndThePlanIsRemoved() throws Exception {
    try (TestCluster cluster = new TestCluster(300, TestCluster.domain("east", 1, "n1"))) {
      FakeSwitch one = cluster.newSwitch(0x10);
      TestNode n2 = cluster.start("n2");
      one.connect("n2", n2.node.switches());
      cluster.await("n2 masters it", () -> n2.masters(one));
      CompletableFuture<Void> finished = new CompletableFuture<>();
      n2.told.finished = finished;

      TestNode n1 = cluster.start("n1");
      one.connect("n1", n1.node.switches());
      cluster.await("n2 finishes", () -> n2.told.heard.contains("finish " + one.deviceId() + " 1"));
      assertThat(one.role("n1")).isEqualTo(SwitchRole.EQUAL);
      assertThat(n1.told.heard).contains("expected " + one.deviceId() + " 1");
      assertThat(n2.masters(one)).as("until it has finished").isTrue();
      assertThat(one.master()).isEqualTo("n2");

      finished.complete(null);
      cluster.await("n1 masters it", () -> n1.masters(one));
      assertThat(one.requests).containsSubsequence("n1 EQUAL 1", "n1 MASTER 2");
      awaitNoPlan(cluster, n1, "east");
      cluster.await(
          "n1 has what it expected",
          () -> n1.told.heard.contains("expectedNoLonger " + one.deviceId()));
      assertThat(n1.told.heard)
          .containsSubsequence(
              "expected " + one.deviceId() + " 1",
              "gained " + one.deviceId() + " 2",
              "expectedNoLonger " + one.deviceId());
    }
  }

  @Test
  void nextMasterThatDiesWhileTheOldOneFinishesGetsNothing() throws Exception {
    try (TestCluster cluster = new TestCluster(300, TestCluster.domain("east", 1, "n1"))) {
      FakeSwitch one = cluster.newSwitch(0x10);
      TestNode n2 = cluster.start("n2");
      one.connect("n2", n2.node.switches());
      cluster.await("n2 masters it", () -> n2.masters(one));
      CompletableFuture<Void> finished = new CompletableFuture<>();
      n2.told.finished = finished;
      CompletableFuture<Boolean> still = new CompletableFuture<>();
      one.still = still;
      TestNode n1 = cluster.start("n1");
      one.connect("n1", n1.node.switches());
      cluster.await("n2 finishes", () -> n2.told.heard.contains("finish " + one.deviceId() + " 1"));
      finished.complete(null);
      cluster.await("n2 stands down", () -> one.stoodDown.contains("n2"));
      assertThat(n2.masters(one)).isFalse();

      n1.stop();
      cluster.await("n1 is gone", () -> !n2.status().nodes().get(0).alive());
      still.complete(true);
      cluster.await("n2 masters it again", () -> n2.masters(one));
      assertThat(n2.mastery.epoch(one.deviceId())).isEqualTo(1);
      awaitNoPlan(cluster, n2, "east");
    }
  }

  @Test
  void nodeThatStopsHandsItsDomainsOverBeforeItEnds() throws Exception {
    try (TestCluster cluster =
        new TestCluster(
            HOUR_MILLIS,
            TestCluster.domain("east", 1, "n1"),
            TestCluster.domain("west", 2, "n1"))) {
      FakeSwitch east = cluster.newSwitch(0x10);
      FakeSwitch west = cluster.newSwitch(0x20);
      TestNode n1 = cluster.start("n1");
      TestNode n2 = cluster.start("n2");
      TestNode n3 = cluster.start("n3");
      for (TestNode node : List.of(n1, n2, n3)) {
        east.connect(node.name, node.node.switches());
      }
      west.connect("n1", n1.node.switches());
      west.connect("n3", n3.node.switches());
      cluster.await("n1 masters both", () -> n1.masters(east) && n1.masters(west));
      cluster.await(
          "n1 knows who reaches what",
          () ->
              n1.context.connections().nodesOf(east.dpid()).size() == 3
                  && n1.context.connections().nodesOf(west.dpid()).size() == 2);

      CompletableFuture<Void> retired = retire(n1);
      cluster.await("n1 may end", retired::isDone);
      assertThat(n2.masters(east)).as("the next choice").isTrue();
      assertThat(n3.masters(west)).as("the next choice that reaches it").isTrue();
      assertThat(east.requests).contains("n2 EQUAL 1", "n2 MASTER 2");
      assertThat(n1.masters(east) || n1.masters(west)).isFalse();
    }
  }

  @Test
  void twoNodesThatStopAtOnceLeaveTheirDomainsToTheThird() throws Exception {
    try (TestCluster cluster =
        new TestCluster(
            HOUR_MILLIS,
            TestCluster.domain("east", 1, "n1"),
            TestCluster.domain("west", 2, "n2"))) {
      FakeSwitch east = cluster.newSwitch(0x10);
      FakeSwitch west = cluster.newSwitch(0x20);
      TestNode n1 = cluster.start("n1");
      TestNode n2 = cluster.start("n2");
      TestNode n3 = cluster.start("n3");
      for (TestNode node : List.of(n1, n2, n3)) {
        east.connect(node.name, node.node.switches());
        west.connect(node.name, node.node.switches());
      }
      cluster.await("both have masters", () -> n1.masters(east) && n2.masters(west));
      cluster.await(
          "all is known",
          () ->
              List.of(n1, n2).stream()
                  .allMatch(
                      node ->
                          node.context.connections().nodesOf(east.dpid()).size() == 3
                              && node.context.connections().nodesOf(west.dpid()).size() == 3));

      CompletableFuture<Void> both = CompletableFuture.allOf(retire(n1), retire(n2));
      cluster.await("both may end", both::isDone);
      assertThat(n3.masters(east) && n3.masters(west)).isTrue();
    }
  }

  @Test
  void nodeThatStopsAloneOrWithoutQuorumDoesNotWait() throws Exception {
    try (TestCluster cluster = new TestCluster(HOUR_MILLIS, TestCluster.domain("east", 1, "n1"))) {
      FakeSwitch east = cluster.newSwitch(0x10);
      TestNode n1 = cluster.start("n1");
      east.connect("n1", n1.node.switches());
      cluster.await("n1 masters east", () -> n1.masters(east));
      TestNode n2 = cluster.start("n2");
      long before = System.nanoTime();
      n1.node.retire();
      assertThat(System.nanoTime() - before)
          .as("n2 reaches no switch")
          .isLessThan(ControllerNode.RETIRE_MILLIS * 1_000_000 / 2);
      assertThat(n1.masters(east)).isTrue();

      east.connect("n2", n2.node.switches());
      n2.gate.open = false;
      n2.node.retire();
      assertThat(n1.masters(east)).isTrue();
    }
  }

  /** The hand-over has begun, and no write is acknowledged any more. */
  @Test
  void quorumThatIsLostWhileTheNodeStopsKeepsItForItsDeadlineOnly() throws Exception {
    try (TestCluster cluster = new TestCluster(HOUR_MILLIS, TestCluster.domain("east", 1, "n1"))) {
      FakeSwitch east = cluster.newSwitch(0x10);
      TestNode n1 = cluster.start("n1");
      TestNode n2 = cluster.start("n2");
      east.connect("n1", n1.node.switches());
      east.connect("n2", n2.node.switches());
      cluster.await("n1 masters east", () -> n1.masters(east));
      cluster.await(
          "n1 knows of n2", () -> n1.context.connections().nodesOf(east.dpid()).size() == 2);
      CompletableFuture<Void> finished = new CompletableFuture<>();
      n1.told.finished = finished;
      CompletableFuture<Void> retired = retire(n1);
      cluster.await(
          "n1 finishes", () -> n1.told.heard.contains("finish " + east.deviceId() + " 1"));
      n1.gate.open = false;
      finished.complete(null);
      cluster.await("n1 ends all the same", retired::isDone);
      cluster.await("n2 takes over", () -> n2.masters(east));
    }
  }

  @Test
  void domainDoesNotGoBackToANodeThatStops() throws Exception {
    try (TestCluster cluster = new TestCluster(300, TestCluster.domain("east", 1, "n1"))) {
      FakeSwitch east = cluster.newSwitch(0x10);
      TestNode n1 = cluster.start("n1");
      TestNode n2 = cluster.start("n2");
      east.connect("n1", n1.node.switches());
      east.connect("n2", n2.node.switches());
      cluster.await("n1 masters east", () -> n1.masters(east));
      cluster.await(
          "n1 knows of n2", () -> n1.context.connections().nodesOf(east.dpid()).size() == 2);
      cluster.await("n1 may end", retire(n1)::isDone);
      assertThat(n2.masters(east)).isTrue();
      long until = cluster.clock.millis() + 2_000;
      cluster.await("longer than a hand-back takes", () -> cluster.clock.millis() >= until);
      assertThat(n2.masters(east)).isTrue();
      assertThat(n2.mastery.epoch(east.deviceId())).isEqualTo(2);
    }
  }
}
