package io.lockstep.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceItem;
import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.app.ResourceValues;
import io.lockstep.core.node.TestCluster.TestNode;
import io.lockstep.core.resource.ResourceAnswer;
import io.lockstep.core.resource.ResourceOffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Moves of domains and changes of domains, as operators ask for them. */
class MovesTest extends OperatorRequests {
  @Test
  void movedDomainStaysUntilItIsGivenBack() throws Exception {
    try (TestCluster cluster =
        new TestCluster(HAND_BACK_MILLIS, TestCluster.domain("east", 1, "n1", "n2", "n3"))) {
      FakeSwitch one = cluster.newSwitch(0x10);
      List<TestNode> nodes = three(cluster, one);
      TestNode n1 = nodes.get(0);
      TestNode n2 = nodes.get(1);
      cluster.await("n1 masters it", () -> n1.masters(one));
      assertThat(move(nodes.get(2), "east", "n2", true))
          .isInstanceOf(ResourceResult.Accepted.class);
      cluster.await("n2 masters it", () -> n2.masters(one));
      pass(cluster, 10 * HAND_BACK_MILLIS);
      assertThat(n2.masters(one)).as("it is not handed back").isTrue();
      ResourceItem moved = item(n1, "masters", "east");
      assertThat(moved.fields().text("node")).isEqualTo("n2");
      assertThat(moved.fields().flag("stays")).isTrue();
      assertThat(moved.state().text("master")).isEqualTo("n2");

      assertThat(move(n1, "east", "n1", false)).isInstanceOf(ResourceResult.Accepted.class);
      cluster.await("n1 masters it", () -> n1.masters(one));
      assertThat(item(n1, "masters", "east").fields().flag("stays")).isFalse();
      assertThat(one.requests).as("in order").containsSubsequence("n2 EQUAL 1", "n2 MASTER 2");
    }
  }

  @Test
  void moveEndsWithItsNode() throws Exception {
    try (TestCluster cluster =
        new TestCluster(HAND_BACK_MILLIS, TestCluster.domain("east", 1, "n1", "n2", "n3"))) {
      FakeSwitch one = cluster.newSwitch(0x10);
      List<TestNode> nodes = three(cluster, one);
      TestNode n1 = nodes.get(0);
      TestNode n2 = nodes.get(1);
      cluster.await("n1 masters it", () -> n1.masters(one));
      assertThat(move(n1, "east", "n2", true)).isInstanceOf(ResourceResult.Accepted.class);
      cluster.await("n2 masters it", () -> n2.masters(one));
      n2.stop();
      cluster.await("n1 masters it", () -> n1.masters(one));
      TestNode again = cluster.start("n2");
      one.connect("n2", again.node.switches());
      pass(cluster, 10 * HAND_BACK_MILLIS);
      assertThat(n1.masters(one)).isTrue();
      assertThat(item(n1, "masters", "east").fields().flag("stays")).isFalse();
    }
  }

  @Test
  void ofTwoMovesThatWereDecidedOnTheSameTheSecondIsRefused() throws Exception {
    try (TestCluster cluster =
        new TestCluster(HAND_BACK_MILLIS, TestCluster.domain("east", 1, "n1", "n2", "n3"))) {
      FakeSwitch one = cluster.newSwitch(0x10);
      List<TestNode> nodes = three(cluster, one);
      cluster.await("n1 masters it", () -> nodes.get(0).masters(one));
      long version = item(nodes.get(0), "masters", "east").version();
      List<CompletableFuture<ResourceAnswer>> asked = new ArrayList<>();
      for (TestNode node : nodes) {
        ResourceValues wish =
            ResourceValues.builder().text("node", node.name).flag("stays", true).build();
        asked.add(offer(node, "masters").change(new ResourceChange.Set("east", version, wish)));
      }
      int outdated = 0;
      for (CompletableFuture<ResourceAnswer> each : asked) {
        if (result(each) instanceof ResourceResult.Outdated newest) {
          outdated++;
          assertThat(newest.version()).isGreaterThan(version);
        }
      }
      assertThat(outdated).isEqualTo(2);
    }
  }

  @Test
  void nodeThatCannotMasterTheDomainIsRefusedWithTheReason() throws Exception {
    try (TestCluster cluster =
        new TestCluster(HAND_BACK_MILLIS, TestCluster.domain("east", 1, "n1", "n2"))) {
      FakeSwitch one = cluster.newSwitch(0x10);
      TestNode n1 = cluster.start("n1");
      TestNode n2 = cluster.start("n2");
      one.connect("n1", n1.node.switches());
      cluster.await("n1 masters it", () -> n1.masters(one));
      assertThat(move(n1, "east", "n9", true)).isInstanceOf(ResourceResult.Invalid.class);
      assertThat(move(n1, "east", "n3", true))
          .isInstanceOfSatisfying(
              ResourceResult.Conflict.class,
              no -> assertThat(no.error()).isEqualTo("n3 does not take part"));
      cluster.await("n2 knows that n1 reaches it", () -> knowsConnection(n2, 0x10, "n1"));
      assertThat(move(n2, "east", "n2", true))
          .isInstanceOfSatisfying(
              ResourceResult.Conflict.class,
              no -> assertThat(no.error()).isEqualTo("n2 does not reach switch 10"));
      assertThat(drain(n1, "n2", false)).isInstanceOf(ResourceResult.Done.class);
      assertThat(move(n2, "east", "n2", true))
          .isInstanceOfSatisfying(
              ResourceResult.Conflict.class,
              no -> assertThat(no.error()).isEqualTo("n2 is drained"));
      ResourceValues wish = ResourceValues.builder().text("node", "n1").flag("stays", true).build();
      assertThat(result(offer(n1, "masters").change(new ResourceChange.Set("none", 1, wish))))
          .isInstanceOf(ResourceResult.Missing.class);
    }
  }

  @Test
  void domainsAreAddedChangedAndRemovedUnderTheirVersion() throws Exception {
    try (TestCluster cluster =
        new TestCluster(HAND_BACK_MILLIS, TestCluster.domain("east", 1, "n1"))) {
      FakeSwitch one = cluster.newSwitch(0x30);
      TestNode n1 = cluster.start("n1");
      TestNode n2 = cluster.start("n2");
      one.connect("n2", n2.node.switches());
      ResourceOffer domains = offer(n1, "domains");
      ResourceValues north =
          ResourceValues.builder()
              .texts("switches", List.of("30"))
              .texts("masters", List.of("n2"))
              .build();
      assertThat(result(domains.change(new ResourceChange.Add("north", north))))
          .isInstanceOf(ResourceResult.Accepted.class);
      cluster.await("n2 masters it", () -> n2.masters(one));
      assertThat(result(domains.change(new ResourceChange.Add("north", north))))
          .isInstanceOf(ResourceResult.Exists.class);
      assertThat(result(domains.change(new ResourceChange.Add("south", north))))
          .isInstanceOfSatisfying(
              ResourceResult.Conflict.class, no -> assertThat(no.field()).isEqualTo("switches"));
      ResourceItem item = item(n2, "domains", "north");
      assertThat(item.fields()).isEqualTo(north);
      assertThat(item.version()).isEqualTo(2);
      ResourceValues wrong =
          ResourceValues.builder()
              .texts("switches", List.of("30"))
              .texts("masters", List.of("n9"))
              .build();
      assertThat(result(domains.change(new ResourceChange.Set("north", 2, wrong))))
          .isInstanceOfSatisfying(
              ResourceResult.Invalid.class, no -> assertThat(no.field()).isEqualTo("masters"));
      assertThat(result(domains.change(new ResourceChange.Remove("north", 1))))
          .isEqualTo(new ResourceResult.Outdated(2));
      assertThat(result(domains.change(new ResourceChange.Remove("north", 2))))
          .isEqualTo(new ResourceResult.Accepted(3));
      cluster.await("nobody masters it", () -> !n2.masters(one));
      assertThat(result(domains.change(new ResourceChange.Remove("north", 3))))
          .isInstanceOf(ResourceResult.Missing.class);
    }
  }
}
