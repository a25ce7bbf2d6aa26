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
  void storesFollowEachOtherWithinAWorkloadAndTakeTurnsToBegin() {
    ComparePlan plan =
        new ComparePlan(ALL, List.of("ls-ucast"), List.of("init"), List.of(64), List.of(true), 2);
    assertThat(plan.blocks())
        .extracting(ComparePlan.Block::store)
        .containsExactly(
            StoreKind.LOCKSTEP,
            StoreKind.JRAFT,
            StoreKind.ATOMIX,
            StoreKind.ETCD,
            StoreKind.JRAFT,
            StoreKind.ATOMIX,
            StoreKind.ETCD,
            StoreKind.LOCKSTEP);
  }

  @Test
  void theTableSaysWhatIsMet() {
    List<ComparePoint> points =
        List.of(
            point("lockstep", 1, 64, 30_000, 1.0),
            point("lockstep", 2, 64, 50_000, 1.0),
            point("jraft", 1, 64, 10_000, 1.0),
            point("atomix", 1, 64, 10_000, 1.0),
            point("lockstep", 1, 1, 1000, 1.3),
            point("etcd", 1, 1, 1000, 1.0));
    assertThat(new Verdict(points).lines())
        .satisfiesExactly(
            jraft -> assertThat(jraft).contains("ratio   4.00", "at least 3.0: met"),
            atomix -> assertThat(atomix).contains("ratio   4.00", "at least 6.0: NOT MET"),
            latency -> assertThat(latency).contains("etcd", "ratio   1.30", "1.2: NOT MET"));
  }

  private static ComparePoint point(
      String store, int round, int flows, double perSecond, double p50Millis) {
    return new ComparePoint(
        store, "ls-ucast", "micro", false, round, flows, perSecond, p50Millis, 2, 3, 4, 0);
  }
}
