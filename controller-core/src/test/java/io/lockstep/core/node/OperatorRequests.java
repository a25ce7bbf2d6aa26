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

/** What tests of a cluster ask for as operators do. */
class OperatorRequests {
  static final int HAND_BACK_MILLIS = 300;

  /** What the nodes believe of the replicas. */
  volatile LivingReplicas replicas = LivingReplicas.OUTSIDE;

  record Three(Set<String> living) implements LivingReplicas {
    @Override
    public Optional<Counted> counted() {
      return Optional.of(new Counted(3, living));
    }

    @Override
    public String leader() {
      return "n1";
    }
  }

  ResourceOffer offer(TestNode node, String name) {
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

  static ResourceResult result(CompletableFuture<ResourceAnswer> answer) throws Exception {
    ResourceAnswer done = TestCluster.get(answer);
    assertThat(done).isInstanceOf(ResourceAnswer.Changed.class);
    return ((ResourceAnswer.Changed) done).result();
  }

  ResourceItem item(TestNode node, String resource, String id) throws Exception {
    ResourceAnswer done = TestCluster.get(offer(node, resource).show(id));
    return ((ResourceAnswer.Items) done).items().get(0);
  }

  ResourceResult move(TestNode asked, String domain, String to, boolean stays) throws Exception {
    return move(asked, domain, to, stays, item(asked, "masters", domain).version());
  }

  ResourceResult move(TestNode asked, String domain, String to, boolean stays, long version)
      throws Exception {
    ResourceValues wish = ResourceValues.builder().text("node", to).flag("stays", stays).build();
    return result(offer(asked, "masters").change(new ResourceChange.Set(domain, version, wish)));
  }

  ResourceResult drain(TestNode asked, String node, boolean force) throws Exception {
    ResourceValues fields = ResourceValues.builder().flag("force", force).build();
    return result(offer(asked, "drains").change(new ResourceChange.Add(node, fields)));
  }

  ResourceResult undrain(TestNode asked, String node) throws Exception {
    long version = item(asked, "drains", node).version();
    return result(offer(asked, "drains").change(new ResourceChange.Remove(node, version)));
  }

  static void pass(TestCluster cluster, long millis) {
    long until = cluster.clock.millis() + millis;
    cluster.await(millis + " ms pass", () -> cluster.clock.millis() >= until);
  }

  static List<TestNode> three(TestCluster cluster, FakeSwitch... switches) throws Exception {
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

  static long reachedByThree(TestNode asked) {
    return asked.status().switches().stream().filter(one -> one.connectedTo().size() == 3).count();
  }

  /** A node that is asked decides by its own view, so tests wait until that view has it. */
  static boolean knowsConnection(TestNode asked, long dpid, String node) {
    return asked.status().switches().stream()
        .anyMatch(seen -> seen.dpid() == dpid && seen.connectedTo().contains(node));
  }
}
