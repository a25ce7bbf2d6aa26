package io.lockstep.bench.variant;

import io.lockstep.bench.compare.PaperTables;
import io.lockstep.bench.compare.PaperTables.PaperOperation;
import io.lockstep.bench.compare.Workloads;
import io.lockstep.core.trace.TracedOperation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What events asked of the store, beside what the paper's tables say. Events of one kind that asked
 * the same in the same order are shown once.
 */
final class VariantReport {
  private static final String ROW = "  %-1s %-14s %-34s %6s %6s   %-1s %6s %6s  %s";

  private VariantReport() {}

  /** Lines to print. */
  static List<String> lines(List<WorkloadEvent> events, Variant variant) {
    Map<String, Map<List<String>, List<WorkloadEvent>>> byWorkload = new TreeMap<>();
    for (WorkloadEvent event : events) {
      byWorkload
          .computeIfAbsent(event.workload(), name -> new LinkedHashMap<>())
          .computeIfAbsent(signature(event), asked -> new ArrayList<>())
          .add(event);
    }
    List<String> lines = new ArrayList<>();
    byWorkload.forEach(
        (workload, kinds) ->
            kinds.values().stream()
                .sorted((one, other) -> other.size() - one.size())
                .forEach(alike -> lines.addAll(lines(workload, alike, variant))));
    return lines;
  }

  private static List<String> signature(WorkloadEvent event) {
    return event.operations().stream().map(one -> one.type() + " " + one.target()).toList();
  }

  private static List<String> lines(String workload, List<WorkloadEvent> alike, Variant variant) {
    List<String> lines = new ArrayList<>();
    int conflicts = alike.stream().mapToInt(WorkloadEvent::conflicts).sum();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s %s: %d events, %d operations each, %d conflicts",
            workload,
            variant.label(),
            alike.size(),
            alike.get(0).operations().size(),
            conflicts));
    lines.add(
        String.format(
                ROW, "", "operation", "table or component", "bytes", "reply", "", "paper", "", "")
            .stripTrailing());
    List<PaperOperation> paper =
        Workloads.VARIANTS.contains(variant.label())
            ? PaperTables.operations(workload, variant.label())
            : List.of();
    List<TracedOperation> asked = alike.get(0).operations();
    for (int i = 0; i < Math.max(asked.size(), paper.size()); i++) {
      lines.add(
          row(i < asked.size() ? asked.get(i) : null, i < paper.size() ? paper.get(i) : null));
    }
    return lines;
  }

  private static String row(@Nullable TracedOperation asked, @Nullable PaperOperation paper) {
    return String.format(
            ROW,
            asked == null ? "-" : letter(!asked.isRead()),
            asked == null ? "" : asked.type(),
            asked == null ? "" : asked.target(),
            asked == null ? "" : asked.requestBytes(),
            asked == null ? "" : asked.replyBytes(),
            paper == null ? "-" : letter(paper.isWrite()),
            paper == null ? "" : paper.requestBytes(),
            paper == null ? "" : paper.replyBytes(),
            paper == null ? "" : paper.what())
        .stripTrailing();
  }

  private static String letter(boolean isWrite) {
    return isWrite ? "W" : "R";
  }
}
