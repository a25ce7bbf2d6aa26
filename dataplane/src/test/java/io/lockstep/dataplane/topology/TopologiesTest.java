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
    assertThat(linksBetweenDomains(two)).isEqualTo(2);
    assertSurvivesAnyCut(two);
    assertSurvivesAnyCut(Topologies.twoDomains(3, 1));
  }

  @Test
  void threeDomainsSurviveAnyCut() {
    Topology three = Topologies.threeDomains(3, 2);
    assertThat(three.domains()).containsExactly("west", "east", "south");
    assertThat(three.switches()).hasSize(9);
    assertThat(three.hosts()).hasSize(18);
    for (String domain : three.domains()) {
      assertThat(three.switches()).filteredOn(one -> one.domain().equals(domain)).hasSize(3);
    }
    assertThat(three.links()).hasSize(12);
    assertThat(linksBetweenDomains(three)).isEqualTo(3);
    assertSurvivesAnyCut(three);
    assertSurvivesAnyCut(Topologies.threeDomains(4, 1));
    assertThatThrownBy(() -> Topologies.threeDomains(2, 1))
        .isInstanceOf(IllegalArgumentException.class);
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

  private static long linksBetweenDomains(Topology topology) {
    return topology.links().stream()
        .filter(
            link ->
                !topology
                    .switchNamed(link.a().switchName())
                    .domain()
                    .equals(topology.switchNamed(link.b().switchName()).domain()))
        .count();
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
