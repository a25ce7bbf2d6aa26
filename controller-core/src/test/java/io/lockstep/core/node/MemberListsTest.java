package io.lockstep.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.cluster.ClusterComponents;
import io.lockstep.core.cluster.ListedProcess;
import io.lockstep.core.cluster.ListedProcess.Kind;
import io.lockstep.core.cluster.Member;
import io.lockstep.core.cluster.MemberListTable;
import io.lockstep.core.cluster.ReplicaMembership;
import io.lockstep.core.node.TestCluster.TestNode;
import io.lockstep.core.state.StoreFeed;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Nodes that tell each other which members their files list. */
class MemberListsTest {
  private static final AtomicLong NONCES = new AtomicLong(1_000);

  @Test
  void aNodeWithAWrongListIsNotReadyUntilItStartsWithTheRightOne() throws Exception {
    try (TestCluster cluster = new TestCluster(3_600_000, TestCluster.domain("east", 1, "n1"))) {
      List<Member> right = cluster.members;
      TestNode n1 = cluster.start("n1");
      TestNode n2 = cluster.start("n2");
      List<Member> wrong = new ArrayList<>(right);
      wrong.set(1, new Member("n2", "127.0.0.9", 0));
      cluster.members = wrong;
      TestNode n3 = cluster.start("n3");
      cluster.await(
          "n3 is not ready",
          () -> n3.status().membersDiffer().contains("node n2: file 127.0.0.9, nodePort 0"));
      cluster.await("n1 says what differs", () -> n1.status().memberDifferences().size() == 1);
      assertThat(n1.status().memberDifferences().get(0).node()).isEqualTo("n3");
      // Each knows of a majority as soon as it has read the list of the other.
      cluster.await(
          "the others are ready",
          () -> n1.status().membersDiffer().isEmpty() && n2.status().membersDiffer().isEmpty());
      assertThat(n3.node.hasQuorum()).as("nothing is reconfigured").isTrue();

      n3.stop();
      cluster.members = right;
      TestNode again = cluster.start("n3");
      cluster.await(
          "all agree",
          () ->
              again.node.hasQuorum()
                  && List.of(n1, n2, again).stream()
                      .allMatch(
                          node ->
                              node.status().memberDifferences().isEmpty()
                                  && node.status().membersDiffer().isEmpty()));
    }
  }

  @Test
  void whereNoListHasAMajorityNoNodeIsReadyUntilAThirdDecides() throws Exception {
    try (TestCluster cluster = new TestCluster(3_600_000, TestCluster.domain("east", 1, "n1"))) {
      List<Member> right = cluster.members;
      TestNode n1 = cluster.start("n1");
      cluster.await("n1 takes part", n1.node::hasQuorum);
      assertThat(n1.status().membersDiffer()).isEmpty();
      cluster.members = List.of(right.get(0), new Member("n2", "127.0.0.9", 0), right.get(2));
      TestNode n2 = cluster.start("n2");
      String none = "the nodes' files list members differently, none as a majority does";
      cluster.await(
          "neither is ready",
          () ->
              n1.status().membersDiffer().equals(none) && n2.status().membersDiffer().equals(none));
      assertThat(n1.node.hasQuorum() && n2.node.hasQuorum()).isTrue();

      cluster.members = right;
      TestNode n3 = cluster.start("n3");
      cluster.await(
          "those that agree are ready",
          () ->
              n3.node.hasQuorum()
                  && n1.status().membersDiffer().isEmpty()
                  && n3.status().membersDiffer().isEmpty()
                  && n2.status().membersDiffer().startsWith("its file lists members differently"));
      n3.kill();
      cluster.clock.await("n3 is dead", () -> !n1.status().nodes().get(2).alive());
      assertThat(n1.status().membersDiffer()).as("n3 keeps its voice").isEmpty();
      assertThat(n2.status().membersDiffer()).isNotEmpty();
    }
  }

  private static ReplicaMembership replica(
      TestCluster cluster, BatchingStoreClient store, List<ListedProcess> processes) {
    ReplicaMembership membership =
        new ReplicaMembership(
            "s1",
            "/s1.yaml",
            processes,
            store,
            store.loop(),
            (where, failure) -> cluster.fatal.add(failure));
    membership.start(new StoreFeed(store, store.loop()));
    return membership;
  }

  private static BatchingStoreClient replicaClient(TestCluster cluster) {
    return BatchingStoreClient.open(
        cluster.engine.connect(16),
        ClientOptions.of("replica s1")
            .withTimeToLiveMillis(60_000)
            .withTables(ClusterComponents.tables()),
        cluster.clock::nanos,
        NONCES::getAndIncrement);
  }

  @Test
  void aReplicaInAProcessOfItsOwnWithAWrongListIsNotReadyAndTheNodesSayWhy() throws Exception {
    try (TestCluster cluster = new TestCluster(3_600_000, TestCluster.domain("east", 1, "n1"))) {
      TestNode n1 = cluster.start("n1");
      TestNode n2 = cluster.start("n2");
      cluster.await("the nodes take part", () -> n1.node.hasQuorum() && n2.node.hasQuorum());
      List<ListedProcess> right =
          cluster.members.stream()
              .map(one -> new ListedProcess(Kind.NODE, one.nodeId(), one.host(), 0))
              .toList();
      List<ListedProcess> wrong = new ArrayList<>(right);
      wrong.set(1, new ListedProcess(Kind.NODE, "n2", "127.0.0.9", 0));

      BatchingStoreClient store = replicaClient(cluster);
      ReplicaMembership s1 = replica(cluster, store, wrong);
      cluster.await(
          "it is not ready", () -> s1.notReady().contains("node n2: file 127.0.0.9, nodePort 0"));
      cluster.await(
          "the nodes say so",
          () ->
              List.of(n1, n2).stream()
                  .allMatch(node -> node.status().memberDifferences().equals(s1.differences())));
      assertThat(s1.differences())
          .extracting(one -> one.node() + "'s " + one.file())
          .containsExactly("replica s1's /s1.yaml");
      assertThat(n1.status().membersDiffer()).isEmpty();
      s1.close();
      store.close();
      cluster.await("one that is gone is forgotten", () -> noDifference(n1) && noDifference(n2));

      BatchingStoreClient again = replicaClient(cluster);
      ReplicaMembership corrected = replica(cluster, again, right);
      cluster.await(
          "it publishes the right list",
          () -> n1.store.session().sessionId() != 0 && published(cluster, n1, right));
      assertThat(corrected.notReady()).isEmpty();
      assertThat(corrected.differences()).isEmpty();
      // Until n1 has read that list, it knows the old one of the replica that lives again.
      cluster.await("n1 has read it, too", () -> noDifference(n1));
      corrected.close();
      again.close();
    }
  }

  private static boolean noDifference(TestNode node) {
    return node.status().memberDifferences().isEmpty();
  }

  private static boolean published(
      TestCluster cluster, TestNode through, List<ListedProcess> processes) {
    MemberListTable codec = new MemberListTable();
    Command get = new Command.Get(MemberListTable.NAME, codec.encodeKey("replica s1"));
    try {
      return TestCluster.get(through.store.submit(get)) instanceof Reply.Found found
          && codec.decodeValue(found.value()).processes().equals(processes);
    } catch (Exception e) {
      throw new AssertionError("the store does not answer: " + cluster.fatal, e);
    }
  }
}
