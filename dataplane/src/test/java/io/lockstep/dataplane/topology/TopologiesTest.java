package io.lockstep.dataplane.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.dataplane.topology.Topology.LinkSpec;
import io.lockstep.dataplane.topology.Topology.SwitchSpec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TopologiesTest {
  @Test
  void linearIsAChain() {
    Topology linear = Topologies.linear(4, 2);
    assertThat(linear.switches()).extracting(SwitchSpec::dpid).containsExactly(1L, 2L, 3L, 4L);
    assertThat(linear.links()).hasSize(3);
    assertThat(linear.hosts()).hasSize(8);
    assertThat(linear.hosts().get(7).at()).hasToString("s4:2");
    assertThat(linear.links().get(0)).hasToString("LinkSpec[a=s1:3, b=s2:3, delayMillis=0.0]");
    assertThat(reachable(linear, linear.links())).isEqualTo(4);
  }

  @Test
  void ringSurvivesAnyCut() {
    Topology ring = Topologies.ring(5, 1);
    assertThat(ring.links()).hasSize(5);
    assertSurvivesAnyCut(ring);
    assertThatThrownBy(() -> Topologies.ring(2, 1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void twoDomainsSurviveAnyCut() {
    Topology two = Topologies.twoDomains(4, 1);
    assertThat(two.domains()).containsExactly("west", "east");
    assertThat(two.switches()).hasSize(8);
    assertThat(two.links()).hasSize(10);
    long between =
        two.links().stream()
            .filter(
                link ->
                    !two.switchNamed(link.a().switchName())
                        .domain()
                        .equals(two.switchNamed(link.b().switchName()).domain()))
            .count();
    assertThat(between).isEqualTo(2);
    assertSurvivesAnyCut(two);
    assertSurvivesAnyCut(Topologies.twoDomains(3, 1));
  }

  @Test
  void treeHasHostsAtItsLeavesOnly() {
    Topology tree = Topologies.tree(3, 3, 2);
    assertThat(tree.switches()).hasSize(13);
    assertThat(tree.links()).hasSize(12);
    assertThat(tree.hosts()).hasSize(18);
    assertThat(tree.hosts().get(0).at().switchName()).isEqualTo("s5");
    assertThat(reachable(tree, tree.links())).isEqualTo(13);
    assertThat(Topologies.tree(1, 2, 3).hosts()).hasSize(3);
  }

  private static void assertSurvivesAnyCut(Topology topology) {
    for (LinkSpec cut : topology.links()) {
      List<LinkSpec> rest = topology.links().stream().filter(link -> !link.equals(cut)).toList();
      assertThat(reachable(topology, rest))
          .as("without %s", cut)
          .isEqualTo(topology.switches().size());
    }
  }

  private static int reachable(Topology topology, List<LinkSpec> links) {
    Set<String> seen = new HashSet<>();
    Deque<String> open = new ArrayDeque<>();
    open.add(topology.switches().get(0).name());
    while (!open.isEmpty()) {
      String at = open.remove();
      if (seen.add(at)) {
        for (LinkSpec link : links) {
          if (link.a().switchName().equals(at)) {
            open.add(link.b().switchName());
          } else if (link.b().switchName().equals(at)) {
            open.add(link.a().switchName());
          }
        }
      }
    }
    return seen.size();
  }
}
