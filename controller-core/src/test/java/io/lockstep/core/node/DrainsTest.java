package io.lockstep.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.app.ResourceValues;
import io.lockstep.core.node.TestCluster.TestNode;
import io.lockstep.core.operation.LivingReplicas;
import io.lockstep.core.resource.ResourceAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Drains of nodes, as operators ask for them. */
class DrainsTest extends OperatorRequests {
  @Test
  void drainedNodeMastersNothingAlsoAfterARestart() throws Exception {
    try (TestCluster cluster =
        new TestCluster(
            HAND_BACK_MILLIS,
            TestCluster.domain("east", 1, "n1", "n2", "n3"),
            TestCluster.domain("west", 2, "n1", "n3", "n2"))) {
      FakeSwitch east = cluster.newSwitch(0x10);
      FakeSwitch west = cluster.newSwitch(0x20);
      List<TestNode> nodes = three(cluster, east, west);
      TestNode n1 = nodes.get(0);
      TestNode n2 = nodes.get(1);
      TestNode n3 = nodes.get(2);
      cluster.await("n1 masters both", () -> n1.masters(east) && n1.masters(west));
      assertThat(drain(n2, "n1", false)).isInstanceOf(ResourceResult.Done.class);
      assertThat(drain(n3, "n1", false)).isInstanceOf(ResourceResult.Exists.class);
      cluster.await("the next choices master", () -> n2.masters(east) && n3.masters(west));
      pass(cluster, 10 * HAND_BACK_MILLIS);
      assertThat(n2.masters(east) && n3.masters(west)).as("nothing goes back").isTrue();
      assertThat(item(n3, "drains", "n1").state().texts("domains")).isEmpty();
      assertThat(n3.status().nodes().get(0).drained()).isTrue();

      assertThat(n1.drained).as("its process knows").isTrue();

      n1.stop();
      TestNode again = cluster.start("n1");
      east.connect("n1", again.node.switches());
      west.connect("n1", again.node.switches());
      pass(cluster, 10 * HAND_BACK_MILLIS);
      assertThat(n2.masters(east) && n3.masters(west)).as("after a restart, too").isTrue();
      assertThat(again.drained).isTrue();

      n2.stop();
      cluster.await("n3 masters all", () -> n3.masters(east) && n3.masters(west));
      pass(cluster, 10 * HAND_BACK_MILLIS);
      assertThat(n3.masters(east)).isTrue();
      assertThat(undrain(n3, "n1")).isInstanceOf(ResourceResult.Done.class);
      cluster.await("it gets them back", () -> again.masters(east) && again.masters(west));
      assertThat(again.drained).isFalse();
      assertThat(result(offer(n3, "drains").change(new ResourceChange.Remove("n1", 1))))
          .isInstanceOf(ResourceResult.Missing.class);
    }
  }

  @Test
  void moveThatADrainDidNotSeeBringsNothingBackLater() throws Exception {
    try (TestCluster cluster =
        new TestCluster(HAND_BACK_MILLIS, TestCluster.domain("east", 1, "n1", "n2", "n3"))) {
      FakeSwitch one = cluster.newSwitch(0x10);
      List<TestNode> nodes = three(cluster, one);
      TestNode n1 = nodes.get(0);
      cluster.await("n1 masters it", () -> n1.masters(one));
      ResourceValues wish = ResourceValues.builder().text("node", "n2").flag("stays", true).build();
      long version = item(n1, "masters", "east").version();
      // Both read before either writes: the requests of one client keep their order.
      CompletableFuture<ResourceAnswer> moved =
          offer(n1, "masters").change(new ResourceChange.Set("east", version, wish));
      CompletableFuture<ResourceAnswer> drained =
          offer(n1, "drains")
              .change(
                  new ResourceChange.Add(
                      "n2", ResourceValues.builder().flag("force", false).build()));
      assertThat(result(moved)).isInstanceOf(ResourceResult.Accepted.class);
      assertThat(result(drained)).isInstanceOf(ResourceResult.Done.class);
      cluster.await("n1 masters it", () -> n1.masters(one));
      assertThat(undrain(n1, "n2")).isInstanceOf(ResourceResult.Done.class);
      pass(cluster, 10 * HAND_BACK_MILLIS);
      assertThat(n1.masters(one)).isTrue();
    }
  }

  @Test
  void drainedNodeServesWhereNoOtherTakesPart() throws Exception {
    try (TestCluster cluster =
        new TestCluster(HAND_BACK_MILLIS, TestCluster.domain("east", 1, "n1", "n2", "n3"))) {
      FakeSwitch one = cluster.newSwitch(0x10);
      List<TestNode> nodes = three(cluster, one);
      TestNode n1 = nodes.get(0);
      assertThat(drain(n1, "n1", false)).isInstanceOf(ResourceResult.Done.class);
      cluster.await("n2 masters it", () -> nodes.get(1).masters(one));
      nodes.get(2).kill();
      nodes.get(1).kill();
      cluster.await("n1 masters it", () -> n1.masters(one));
      TestNode n3 = cluster.start("n3");
      one.connect("n3", n3.node.switches());
      cluster.await("n1 gives it away again", () -> n3.masters(one));
    }
  }

  @Test
  void switchThatADrainedNodeHasByItselfGoesToWhoReachesIt() throws Exception {
    try (TestCluster cluster =
        new TestCluster(HAND_BACK_MILLIS, TestCluster.domain("east", 1, "n1", "n2", "n3"))) {
      FakeSwitch near = cluster.newSwitch(0x10);
      FakeSwitch far = cluster.newSwitch(0x11);
      List<TestNode> nodes = three(cluster, near);
      TestNode n2 = nodes.get(1);
      TestNode n3 = nodes.get(2);
      far.connect("n2", n2.node.switches());
      cluster.await("n2 masters the far one", () -> n2.masters(far));
      cluster.await("n3 knows that n2 reaches it", () -> knowsConnection(n3, 0x11, "n2"));
      assertThat(drain(n3, "n2", false))
          .isInstanceOfSatisfying(
              ResourceResult.Conflict.class,
              no -> assertThat(no.error()).isEqualTo("only n2 reaches switch 11"));
      far.connect("n3", n3.node.switches());
      cluster.await("n3 knows that it reaches it", () -> knowsConnection(n3, 0x11, "n3"));
      assertThat(drain(n3, "n2", false)).isInstanceOf(ResourceResult.Done.class);
      cluster.await("n3 masters the far one", () -> n3.masters(far));
      assertThat(item(n3, "drains", "n2").state().texts("switches")).isEmpty();
    }
  }

  @Test
  void drainThatWouldTakeTheQuorumAlongIsRefusedUnlessForced() throws Exception {
    try (TestCluster cluster =
        new TestCluster(HAND_BACK_MILLIS, TestCluster.domain("east", 1, "n1", "n2", "n3"))) {
      FakeSwitch one = cluster.newSwitch(0x10);
      TestNode n1 = three(cluster, one).get(0);
      replicas = new Three(Set.of("n1", "n2"));
      assertThat(drain(n1, "n1", false))
          .isInstanceOfSatisfying(
              ResourceResult.Conflict.class,
              no ->
                  assertThat(no.error())
                      .startsWith("to stop n1 would leave 1 of 3 replicas, and the store needs 2"));
      assertThat(drain(n1, "n3", false))
          .as("its replica is down")
          .isInstanceOf(ResourceResult.Done.class);
      assertThat(undrain(n1, "n3")).isInstanceOf(ResourceResult.Done.class);
      replicas = new Three(Set.of("n1", "n2", "n3"));
      assertThat(drain(n1, "n3", false)).isInstanceOf(ResourceResult.Done.class);
      assertThat(drain(n1, "n2", false)).isInstanceOf(ResourceResult.Conflict.class);
      assertThat(drain(n1, "n2", true)).isInstanceOf(ResourceResult.Done.class);
      assertThat(item(n1, "drains", "n2").state().flag("leadsStore")).isFalse();
      replicas = LivingReplicas.OUTSIDE;
      assertThat(drain(n1, "n1", false))
          .isInstanceOfSatisfying(
              ResourceResult.Conflict.class,
              no -> assertThat(no.error()).startsWith("no other node that is not drained"));
      assertThat(drain(n1, "n9", true)).isInstanceOf(ResourceResult.Invalid.class);
    }
  }

  @Test
  void twoNodesThatAreDrainedAtOnceAreNotBothAccepted() throws Exception {
    try (TestCluster cluster =
        new TestCluster(HAND_BACK_MILLIS, TestCluster.domain("east", 1, "n1", "n2", "n3"))) {
      replicas = new Three(Set.of("n1", "n2", "n3"));
      List<TestNode> nodes = three(cluster);
      ResourceValues fields = ResourceValues.builder().flag("force", false).build();
      List<CompletableFuture<ResourceAnswer>> asked = new ArrayList<>();
      for (TestNode node : nodes) {
        asked.add(offer(node, "drains").change(new ResourceChange.Add(node.name, fields)));
      }
      int accepted = 0;
      for (CompletableFuture<ResourceAnswer> each : asked) {
        accepted += result(each) instanceof ResourceResult.Done ? 1 : 0;
      }
      assertThat(accepted).isOne();
    }
  }
}
