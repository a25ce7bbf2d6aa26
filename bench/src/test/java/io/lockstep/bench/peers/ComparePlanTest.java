package io.lockstep.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ComparePlanTest {
  private static final List<StoreKind> ALL = List.of(StoreKind.values());

  private static List<PointKey> points(ComparePlan plan, String store) {
    return plan.blocks().stream()
        .flatMap(block -> block.points().stream())
        .filter(point -> point.store().equals(store))
        .toList();
  }

  @Test
  void peersAreAskedInitAndMicroOfTheMainWorkloadsAtOneAnd64() {
    ComparePlan plan = new ComparePlan(ALL, List.of(), List.of(), List.of(), List.of(false), 1);
    assertThat(points(plan, "jraft")).hasSize(4 * 2 * 2);
    assertThat(points(plan, "etcd"))
        .allMatch(point -> point.flows() == 1 || point.flows() == 64)
        .extracting(PointKey::workload)
        .contains("dm-unknown")
        .doesNotContain("ls-bcast");
  }

  @Test
  void oursAreAskedTheWholeGrid() {
    ComparePlan plan = new ComparePlan(ALL, List.of(), List.of(), List.of(), List.of(false), 1);
    // ls-ucast 3, lb-vip and dm-known 6 each, dm-unknown 5, ls-bcast 1, lb-arp 4.
    assertThat(points(plan, "lockstep"))
        .hasSize((3 + 2 * 6 + 5 + 1 + 4) * 5)
        .doesNotHaveDuplicates();
  }

  @Test
  void thePeersHaveNoCachedVariant() {
    ComparePlan plan =
        new ComparePlan(ALL, List.of(), List.of("cache"), List.of(), List.of(false), 1);
    assertThat(plan.blocks())
        .extracting(block -> block.store() + " " + block.points().get(0).workload())
        .containsExactly("LOCKSTEP ls-ucast", "LOCKSTEP lb-vip", "LOCKSTEP dm-known");
  }

  @Test
  void storesFollowEachOtherWithinAWorkloadAndTakeTurnsToBegin() {
    ComparePlan plan =
        new ComparePlan(ALL, List.of("ls-ucast"), List.of("init"), List.of(64), List.of(true), 2);
    assertThat(plan.blocks())
        .extracting(ComparePlan.Block::store)
        .containsExactly(
            StoreKind.LOCKSTEP,
            StoreKind.JRAFT,
            StoreKind.JRAFT_FRAMES,
            StoreKind.ATOMIX,
            StoreKind.ETCD,
            StoreKind.JRAFT,
            StoreKind.JRAFT_FRAMES,
            StoreKind.ATOMIX,
            StoreKind.ETCD,
            StoreKind.LOCKSTEP);
  }
}
