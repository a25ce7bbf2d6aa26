package io.lockstep.core.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.link.DirectedLink;
import io.lockstep.core.link.SwitchPort;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BroadcastTreeTest {

  static List<DirectedLink> cable(long a, long portA, long b, long portB) {
    DirectedLink link = new DirectedLink(new SwitchPort(a, portA), new SwitchPort(b, portB));
    return List.of(link, link.reversed());
  }

  /** Switches 1 to n in a circle; port 1 leads up, port 2 leads down. */
  static List<DirectedLink> ring(int n) {
    List<DirectedLink> links = new ArrayList<>();
    for (long i = 1; i <= n; i++) {
      links.addAll(cable(i, 1, i % n + 1, 2));
    }
    return links;
  }

  @Test
  void lineUsesEveryCable() {
    List<DirectedLink> links = new ArrayList<>(cable(1, 1, 2, 1));
    links.addAll(cable(2, 2, 3, 1));
    BroadcastTree tree = BroadcastTree.of(links);
    assertThat(tree.edges()).hasSize(2);
    assertThat(tree.reachedFrom(3)).containsExactlyInAnyOrder(1L, 2L, 3L);
  }

  @Test
  void ringLeavesOneCableOut() {
    BroadcastTree tree = BroadcastTree.of(ring(5));
    assertThat(tree.edges()).hasSize(4);
    assertThat(tree.reachedFrom(1)).hasSize(5);
    assertThat(tree.ports())
        .as("the cable between 3 and 4 is farthest from the root")
        .doesNotContain(new SwitchPort(3, 1), new SwitchPort(4, 2));
  }

  @Test
  void oneOfParallelCablesIsUsed() {
    List<DirectedLink> links = new ArrayList<>(cable(1, 7, 2, 9));
    links.addAll(cable(1, 3, 2, 8));
    assertThat(BroadcastTree.of(links).ports())
        .containsExactlyInAnyOrder(new SwitchPort(1, 3), new SwitchPort(2, 8));
  }

  @Test
  void cableProvenInOneDirectionDoesNotCount() {
    assertThat(BroadcastTree.of(cable(1, 1, 2, 1).subList(0, 1)).edges()).isEmpty();
  }

  @Test
  void cableFromASwitchToItselfDoesNotCount() {
    assertThat(BroadcastTree.of(cable(1, 1, 1, 2)).edges()).isEmpty();
  }

  @Test
  void rootIsTheLowestDatapathIdUnsigned() {
    BroadcastTree tree = BroadcastTree.of(cable(-1L, 1, 5, 1));
    assertThat(tree.rootOf()).containsEntry(-1L, 5L).containsEntry(5L, 5L);
  }

  @Test
  void separateClustersHaveSeparateRoots() {
    List<DirectedLink> links = new ArrayList<>(cable(1, 1, 2, 1));
    links.addAll(cable(3, 1, 4, 1));
    assertThat(BroadcastTree.of(links).rootOf()).containsEntry(2L, 1L).containsEntry(4L, 3L);
  }

  @Test
  void treeSpansEveryRandomNetworkWithoutLoopsWhateverTheOrderOfLinks() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      int switches = 2 + random.nextInt(15);
      List<DirectedLink> links = new ArrayList<>();
      for (int i = 2; i <= switches; i++) {
        links.addAll(cable(i, 100, 1L + random.nextInt(i - 1), 200L + i));
      }
      for (int i = random.nextInt(12); i > 0; i--) {
        long a = 1L + random.nextInt(switches);
        links.addAll(cable(a, 1_000L + i, 1L + random.nextInt(switches), 2_000L + i));
      }
      BroadcastTree tree = BroadcastTree.of(links);
      assertThat(tree.edges()).as("seed %d", seed).hasSize(switches - 1);
      assertThat(tree.reachedFrom(1)).as("seed %d", seed).hasSize(switches);
      Collections.shuffle(links, random);
      assertThat(BroadcastTree.of(links)).as("seed %d", seed).isEqualTo(tree);
    }
  }

  @Test
  void growingTreeChangesNoPath() {
    List<DirectedLink> links = new ArrayList<>(cable(1, 1, 2, 1));
    BroadcastTree before = BroadcastTree.of(links);
    links.addAll(cable(2, 2, 3, 1));
    assertThat(before.switchesWithOtherPaths(BroadcastTree.of(links))).isEmpty();
  }

  @Test
  void lostEdgeChangesPathsInItsClusterOnly() {
    Set<DirectedLink> links = new HashSet<>(ring(4));
    links.addAll(cable(11, 1, 12, 1));
    BroadcastTree before = BroadcastTree.of(links);
    links.removeAll(cable(1, 1, 2, 2));
    assertThat(before.switchesWithOtherPaths(BroadcastTree.of(links)))
        .containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
  }
}
