package io.lockstep.bench.variant;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.BenchMain;
import io.lockstep.bench.compare.PaperTables;
import io.lockstep.bench.variant.EventOperations.Operation;
import io.lockstep.bench.variant.VariantNode.TracedApplication;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three node processes that run applications in a variant, and packets of a played switch. */
class VariantNodeIT {
  @TempDir private Path directory;

  private List<EventOperations> events(Variant variant, TracedApplication... applications)
      throws Exception {
    return new VariantRun(directory, Set.of(applications), variant).run();
  }

  /** Some event of the workload asked in number, type and order what the paper's does. */
  private static void assertAsInThePaper(
      List<EventOperations> events, String workload, Variant variant) {
    List<Boolean> paper =
        PaperTables.operations(workload, variant.label()).stream()
            .map(PaperTables.PaperOperation::isWrite)
            .toList();
    assertThat(events)
        .as("%s %s", workload, variant.label())
        .anySatisfy(
            event -> {
              assertThat(event.workload()).isEqualTo(workload);
              assertThat(event.operations().stream().map(Operation::isWrite).toList())
                  .isEqualTo(paper);
            });
  }

  @Test
  void learningSwitchAndLoadBalancerUseTheCache() throws Exception {
    List<EventOperations> events =
        events(Variant.CACHE, TracedApplication.LEARNING_SWITCH, TracedApplication.LOAD_BALANCER);
    assertAsInThePaper(events, "ls-bcast", Variant.CACHE);
    assertAsInThePaper(events, "ls-ucast", Variant.CACHE);
    assertAsInThePaper(events, "lb-arp", Variant.CACHE);
    assertAsInThePaper(events, "lb-vip", Variant.CACHE);
    assertThat(events)
        .as("table II, best case")
        .anyMatch(event -> event.workload().equals("ls-ucast") && event.sent() == 0)
        .anyMatch(event -> event.workload().equals("lb-vip") && event.sent() == 1);
  }

  @Test
  void deviceManagerKnowsDevicesAndCreatesThem() throws Exception {
    List<EventOperations> events = events(Variant.VERS, TracedApplication.DEVICE_MANAGER);
    assertAsInThePaper(events, "dm-known", Variant.VERS);
    assertAsInThePaper(events, "dm-unknown", Variant.VERS);
  }

  @Test
  void wrongUsageIsRefused() {
    assertThat(BenchMain.run("variant", "--application", "nat", "--variant", "init")).isEqualTo(2);
    assertThat(BenchMain.run("variant", "--application", "learning-switch", "--variant", "best"))
        .isEqualTo(2);
    assertThat(BenchMain.run("variant", "--application", "device-manager", "--variant", "own"))
        .isEqualTo(2);
  }
}
