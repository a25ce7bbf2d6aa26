package io.lockstep.bench.variant;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.variant.VariantNode.TracedApplication;
import io.lockstep.core.trace.TracedOperation;
import java.util.List;
import java.util.Set;

/**
 * Compares traces with tables I and II of the paper: number, type and order of the operations of
 * each event.
 */
final class PaperComparison {
  /** The last events may not have ended with the recording, and some may be given up. */
  private static final double MOST_NOT_DECIDED = 0.05;

  private PaperComparison() {}

  /** The paper's workloads of an application. */
  static List<String> workloads(TracedApplication application) {
    return switch (application) {
      case LEARNING_SWITCH -> List.of("ls-bcast", "ls-ucast");
      case LOAD_BALANCER -> List.of("lb-arp", "lb-vip");
      case DEVICE_MANAGER -> List.of("dm-known", "dm-unknown");
    };
  }

  /**
   * Every event has the operations of the table, or the first of them where the paper has brackets;
   * some have them all.
   *
   * @param wholeAtLeast so many events of each workload have all operations
   */
  static void assertAsInThePaper(
      RecordedTrace trace, TracedApplication application, Variant variant, int wholeAtLeast) {
    assertThat(trace.reading().isComplete()).isTrue();
    if (variant == Variant.OWN) {
      assertOwn(trace, application);
    } else if (variant == Variant.CACHE) {
      assertCached(trace, application, wholeAtLeast);
    } else {
      for (String workload : workloads(application)) {
        List<WorkloadEvent> decided = decided(trace, workload);
        assertThat(decided.stream().map(WorkloadEvent::types).distinct())
            .as("%s %s, true for a write", workload, variant.label())
            .allMatch(types -> isBeginningOf(types, workload, variant), "as in table I");
        assertThat(decided.stream().filter(event -> event.isWhole(variant)).count())
            .as("%s %s with all operations", workload, variant.label())
            .isGreaterThanOrEqualTo(wholeAtLeast);
      }
    }
  }

  private static List<WorkloadEvent> decided(RecordedTrace trace, String workload) {
    List<WorkloadEvent> all = trace.of(workload);
    List<WorkloadEvent> decided =
        all.stream()
            .filter(event -> event.event().outcome().equals("decided") && !event.isGivenUp())
            .toList();
    assertThat(all.size() - decided.size())
        .as("events of %s that were not decided", workload)
        .isLessThanOrEqualTo((int) Math.ceil(MOST_NOT_DECIDED * all.size()));
    return decided;
  }

  private static boolean isBeginningOf(List<Boolean> types, String workload, Variant variant) {
    List<Boolean> paper = WorkloadEvent.typesInThePaper(workload, variant);
    return !types.isEmpty()
        && types.size() <= paper.size()
        && types.equals(paper.subList(0, types.size()));
  }

  /** Table II: the worst case has all operations, and the best only what no cache may answer. */
  private static void assertCached(
      RecordedTrace trace, TracedApplication application, int wholeAtLeast) {
    String workload =
        switch (application) {
          case LEARNING_SWITCH -> "ls-ucast";
          case LOAD_BALANCER -> "lb-vip";
          case DEVICE_MANAGER -> "dm-known";
        };
    List<List<Boolean>> allowed =
        application == TracedApplication.LEARNING_SWITCH
            ? List.of(List.of(true, false), List.of(false), List.of())
            : List.of(List.of(false, true), List.of(true));
    List<List<Boolean>> types =
        decided(trace, workload).stream().map(WorkloadEvent::types).toList();
    assertThat(types).isSubsetOf(allowed);
    assertThat(types)
        .as("%s, worst case", workload)
        .filteredOn(allowed.get(0)::equals)
        .isNotEmpty();
    assertThat(types)
        .as("%s, best case", workload)
        .filteredOn(allowed.get(allowed.size() - 1)::equals)
        .hasSizeGreaterThanOrEqualTo(wholeAtLeast);
  }

  /** The product's own way: docs/STORE_ACCESS.md. */
  private static void assertOwn(RecordedTrace trace, TracedApplication application) {
    switch (application) {
      case LEARNING_SWITCH -> {
        assertEach(trace, "ls-bcast", List.of(true));
        assertEach(trace, "ls-ucast", List.of(true));
      }
      case LOAD_BALANCER -> {
        assertEach(trace, "lb-arp", List.of());
        assertEach(trace, "lb-vip", List.of(true));
      }
      case DEVICE_MANAGER -> {
        assertThat(trace.events()).isEmpty();
        assertThat(Set.copyOf(trace.core().stream().map(TracedOperation::cause).toList()))
            .contains("hosts.change");
      }
    }
  }

  private static void assertEach(RecordedTrace trace, String workload, List<Boolean> types) {
    assertThat(decided(trace, workload))
        .isNotEmpty()
        .extracting(WorkloadEvent::types)
        .containsOnly(types);
  }
}
