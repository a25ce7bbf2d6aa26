package io.lockstep.core.topology;

import static io.lockstep.core.topology.BroadcastTreeTest.cable;
import static io.lockstep.core.topology.BroadcastTreeTest.ring;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.app.KnownLink;
import io.lockstep.core.link.DirectedLink;
import io.lockstep.core.link.SwitchPort;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NetworkPathsTest {

  private static List<KnownLink> path(NetworkPaths paths, long from, long to) {
    return Objects.requireNonNull(paths.path(from, to), from + " to " + to);
  }

  private static List<Long> switches(List<KnownLink> path) {
    return path.stream().map(link -> SwitchPort.of(link.to()).dpid()).toList();
  }

  @Test
  void thePathHasTheFewestLinks() {
    NetworkPaths paths = new NetworkPaths(ring(5));
    assertThat(path(paths, 1, 1)).isEmpty();
    assertThat(switches(path(paths, 1, 3))).containsExactly(2L, 3L);
    assertThat(switches(path(paths, 1, 4))).containsExactly(5L, 4L);
    KnownLink first = path(paths, 1, 4).get(0);
    assertThat(first)
        .isEqualTo(
            new KnownLink(
                new SwitchPort(1, 2).connectPoint(), new SwitchPort(5, 1).connectPoint()));
  }

  @Test
  void ofTwoPathsTheOneOverTheLowestPortIsTakenInWhateverOrderLinksCame() {
    List<DirectedLink> links = ring(4);
    for (int seed = 0; seed < 20; seed++) {
      Collections.shuffle(links, new Random(seed));
      assertThat(switches(path(new NetworkPaths(links), 1, 3))).containsExactly(2L, 3L);
    }
  }

  @Test
  void aCableOfWhichOnlyOneDirectionIsKnownIsALinkButNoWay() {
    List<DirectedLink> links = new ArrayList<>(cable(1, 1, 2, 1));
    links.add(new DirectedLink(new SwitchPort(2, 2), new SwitchPort(3, 1)));
    NetworkPaths paths = new NetworkPaths(links);
    assertThat(paths.links()).hasSize(3);
    assertThat(paths.path(1, 3)).isNull();
    assertThat(paths.path(3, 1)).isNull();
    assertThat(paths.path(1, 99)).isNull();
    assertThat(switches(path(paths, 1, 2))).containsExactly(2L);
  }

  @Test
  void linksOfAPathFollowEachOtherInRandomNetworks() {
    for (int seed = 1; seed <= 30; seed++) {
      Random random = new Random(seed);
      List<DirectedLink> links = new ArrayList<>();
      for (int port = 1; port <= 25; port++) {
        links.addAll(cable(1 + random.nextInt(10), port, 1 + random.nextInt(10), 100 + port));
      }
      NetworkPaths paths = new NetworkPaths(links);
      for (long from = 1; from <= 10; from++) {
        for (long to = 1; to <= 10; to++) {
          List<KnownLink> there = paths.path(from, to);
          List<KnownLink> back = paths.path(to, from);
          assertThat(there == null).as("seed " + seed).isEqualTo(back == null);
          if (there == null || back == null) {
            continue;
          }
          assertThat(there).as("seed " + seed).hasSameSizeAs(back);
          long at = from;
          for (KnownLink link : there) {
            assertThat(SwitchPort.of(link.from()).dpid()).as("seed " + seed).isEqualTo(at);
            at = SwitchPort.of(link.to()).dpid();
          }
          assertThat(at).as("seed " + seed).isEqualTo(to);
        }
      }
    }
  }
}
