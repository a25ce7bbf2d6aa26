package io.lockstep.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceItem;
import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.app.ResourceValues;
import io.lockstep.core.cluster.DpidRange;
import io.lockstep.core.node.TestCluster.TestNode;
import io.lockstep.core.operation.LivingReplicas;
import io.lockstep.core.resource.ResourceAnswer;
import io.lockstep.core.resource.ResourceOffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Moves of domains, drains of nodes and changes of domains, as operators ask for them. */
class OperationsTest {
  private static final int HAND_BACK_MILLIS = 300;

  /** What the nodes believe of the replicas. */
  private volatile LivingReplicas replicas = LivingReplicas.OUTSIDE;

  private record Three(Set<String> living) implements LivingReplicas {
    @Override
    public Optional<Counted> counted() {
      return Optional.of(new Counted(3, living));
    }

    @Override
    public String leader() {
      return "n1";
    }
  }

  private ResourceOffer offer(TestNode node, String name) {
    return node
        .node
        .operations()
        .offers(
            replicas,
            text ->
                text.matches("[0-9a-f]{1,16}")
                    ? Optional.of(
                        new DpidRange(
                            Long.parseUnsignedLong(text, 16), Long.parseUnsignedLong(text, 16)))
                    : Optional.empty())
        .stream()
        .filter(one -> one.description().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static ResourceResult result(CompletableFuture<ResourceAnswer> answer) throws Exception {
    ResourceAnswer done = TestCluster.get(answer);
    assertThat(done).isInstanceOf(ResourceAnswer.Changed.class);
    return ((ResourceAnswer.Changed) done).result();
  }

  private ResourceItem item(TestNode node, String resource, String id) throws Exception {
    ResourceAnswer done = TestCluster.get(offer(node, resource).show(id));
    return ((ResourceAnswer.Items) done).items().get(0);
  }

  private ResourceResult move(TestNode asked, String domain, String to, boolean stays)
      throws Exception {
    return move(asked, domain, to, stays, item(asked, "masters", domain).version());
  }

  private ResourceResult move(TestNode asked, String domain, String to, boolean stays, long version)
      throws Exception {
    ResourceValues wish = ResourceValues.builder().text("node", to).flag("stays", stays).build();
    return result(offer(asked, "masters").change(new ResourceChange.Set(domain, version, wish)));
  }

  private ResourceResult drain(TestNode asked, String node, boolean force) throws Exception {
    ResourceValues fields = ResourceValues.builder().flag("force", force).build();
    return result(offer(asked, "drains").change(new ResourceChange.Add(node, fields)));
  }

  private ResourceResult undrain(TestNode asked, String node) throws Exception {
    long version = item(asked, "drains", node).version();
    return result(offer(asked, "drains").change(new ResourceChange.Remove(node, version)));
  }

  private static void pass(TestCluster cluster, long millis) {
    long until = cluster.clock.millis() + millis;
    cluster.await(millis + " ms pass", () -> cluster.clock.millis() >= until);
  }

  private static List<TestNode> three(TestCluster cluster, FakeSwitch... switches)
      throws Exception {
    List<TestNode> nodes = new ArrayList<>();
    for (String name : List.of("n1", "n2", "n3")) {
      nodes.add(cluster.start(name));
    }
    for (FakeSwitch one : switches) {
      for (TestNode node : nodes) {
        one.connect(node.name, node.node.switches());
      }
    }
    cluster.await(
        "each node knows that all reach all",
        () -> nodes.stream().allMatch(node -> reachedByThree(node) == switches.length));
    return nodes;
  }

  private static long reachedByThree(TestNode asked) {
    return asked.status().switches().stream().filter(one -> one.connectedTo().size() == 3).count();
  }

  /** A node that is asked decides by its own view, so tests wait until that view has it. */
  private static boolean knowsConnection(TestNode asked, long dpid, String node) {
    return asked.status().switches().stream()
        .anyMatch(seen -> seen.dpid() == dpid && seen.connectedTo().contains(node));
  }

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

      n1.stop();
      TestNode again = cluster.start("n1");
      east.connect("n1", again.node.switches());
      west.connect("n1", again.node.switches());
      pass(cluster, 10 * HAND_BACK_MILLIS);
      assertThat(n2.masters(east) && n3.masters(west)).as("after a restart, too").isTrue();

      n2.stop();
      cluster.await("n3 masters all", () -> n3.masters(east) && n3.masters(west));
      pass(cluster, 10 * HAND_BACK_MILLIS);
      assertThat(n3.masters(east)).isTrue();
      assertThat(undrain(n3, "n1")).isInstanceOf(ResourceResult.Done.class);
      cluster.await("it gets them back", () -> again.masters(east) && again.masters(west));
      assertThat(result(offer(n3, "drains").change(new ResourceChange.Remove("n1", 1))))
          .isInstanceOf(ResourceResult.Missing.class);
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
