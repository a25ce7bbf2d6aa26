package io.lockstep.bench.variant;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.BenchMain;
import io.lockstep.bench.variant.VariantNode.TracedApplication;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three node processes that run applications in a variant, and packets of a played switch. */
class VariantNodeIT {
  @TempDir private Path directory;

  private List<WorkloadEvent> events(Variant variant, TracedApplication... applications)
      throws Exception {
    return new VariantRun(directory, Set.of(applications), variant).run();
  }

  /** Some event of the workload asked in number, type and order what the paper's does. */
  private static void assertAsInThePaper(
      List<WorkloadEvent> events, String workload, Variant variant) {
    assertThat(events)
        .as("%s %s", workload, variant.label())
        .anyMatch(event -> event.workload().equals(workload) && event.isWhole(variant));
  }

  @Test
  void learningSwitchAndLoadBalancerUseTheCache() throws Exception {
    List<WorkloadEvent> events =
        events(Variant.CACHE, TracedApplication.LEARNING_SWITCH, TracedApplication.LOAD_BALANCER);
    assertAsInThePaper(events, "ls-bcast", Variant.CACHE);
    assertAsInThePaper(events, "lb-arp", Variant.CACHE);
    assertAsInThePaper(events, "lb-vip", Variant.CACHE);
    assertThat(events)
        .as("table II, best case")
        .anyMatch(event -> event.workload().equals("ls-ucast") && event.operations().isEmpty())
        .anyMatch(event -> event.workload().equals("lb-vip") && event.operations().size() == 1);
  }

  @Test
  void deviceManagerKnowsDevicesAndCreatesThem() throws Exception {
    List<WorkloadEvent> events = events(Variant.VERS, TracedApplication.DEVICE_MANAGER);
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
