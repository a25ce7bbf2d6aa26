package io.lockstep.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.cluster.Member;
import io.lockstep.core.node.TestCluster.TestNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes that tell each other which members their files list. */
class MemberListsTest {

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
      assertThat(n1.status().membersDiffer()).isEmpty();
      assertThat(n2.status().membersDiffer()).isEmpty();
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
}
