package io.lockstep.bench.peers;

import io.lockstep.bench.compare.Workloads;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Which points are measured, in what order: in each round the stores follow each other within a
 * workload, each round beginning with another store, so that whatever changes on the machine meets
 * all of them.
 *
 * @param workloads empty for those of the grid
 * @param variants empty for those of the grid
 * @param flows empty for those of the grid
 */
record ComparePlan(
    List<StoreKind> stores,
    List<String> workloads,
    List<String> variants,
    List<Integer> flows,
    List<Boolean> durable,
    int rounds) {
  private static final Set<String> PEER_WORKLOADS =
      Set.of("ls-ucast", "lb-vip", "dm-known", "dm-unknown");
  private static final Set<String> PEER_VARIANTS = Set.of("init", "micro");
  private static final List<Integer> PEER_FLOWS = List.of(1, 64);
  private static final List<Integer> OWN_FLOWS = List.of(1, 16, 64, 128, 1024);

  /** The points of one store that follow each other on the same processes. */
  record Block(StoreKind store, boolean durable, List<PointKey> points) {}

  /** All blocks, in order; none is empty. */
  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    for (boolean disk : durable) {
      for (int round = 1; round <= rounds; round++) {
        for (String workload : workloads.isEmpty() ? Workloads.names() : workloads) {
          for (int i = 0; i < stores.size(); i++) {
            StoreKind store = stores.get((i + round - 1) % stores.size());
            List<PointKey> points = points(store, workload, disk, round);
            if (!points.isEmpty()) {
              blocks.add(new Block(store, disk, points));
            }
          }
        }
      }
    }
    return blocks;
  }

  private List<PointKey> points(StoreKind store, String workload, boolean disk, int round) {
    boolean own = store == StoreKind.LOCKSTEP;
    List<PointKey> points = new ArrayList<>();
    if (!own && !PEER_WORKLOADS.contains(workload)) {
      return points;
    }
    List<Integer> usual = own ? OWN_FLOWS : PEER_FLOWS;
    for (String variant : Workloads.variants(workload)) {
      boolean wanted = variants.isEmpty() || variants.contains(variant);
      if (wanted && (own || PEER_VARIANTS.contains(variant))) {
        for (int count : flows.isEmpty() ? usual : flows) {
          points.add(new PointKey(store.label(), workload, variant, disk, round, count));
        }
      }
    }
    return points;
  }
}
