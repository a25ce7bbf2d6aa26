package io.lockstep.deploy.status;

import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.admin.NodeReport.DifferenceReport;
import io.lockstep.deploy.admin.NodeReport.DomainVersionsReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What {@code status} says of files that differ, and of domains that are changing. */
final class Disagreements {
  private Disagreements() {}

  /** The lines, an empty one first; none where all agree and nothing changes. */
  static List<String> lines(ClusterStatus status) {
    List<String> lines = new ArrayList<>();
    status.best().map(NodeReport::domainVersions).ifPresent(versions -> change(lines, versions));
    // Several nodes may tell of one difference.
    Set<DifferenceReport> all = new LinkedHashSet<>();
    status.answers().forEach(answer -> all.addAll(answer.report().differences()));
    Map<String, List<DifferenceReport>> byFile = new LinkedHashMap<>();
    for (DifferenceReport one : all) {
      String file = one.node() + "'s file" + (one.file().isEmpty() ? "" : " " + one.file());
      byFile
          .computeIfAbsent(
              file + " differs from the cluster:\n" + one.remedy(), key -> new ArrayList<>())
          .add(one);
    }
    byFile.forEach(
        (key, differences) -> {
          String[] parts = key.split("\n", 2);
          lines.add(parts[0]);
          for (DifferenceReport one : differences) {
            lines.add("  " + one.place() + ": file " + one.here() + ", cluster " + one.cluster());
          }
          lines.add("  remedy: " + parts[1]);
        });
    if (!lines.isEmpty()) {
      lines.add(0, "");
    }
    return lines;
  }

  private static void change(List<String> lines, DomainVersionsReport versions) {
    if (versions.next() != 0) {
      lines.add(
          "Domains: version "
              + versions.inForce()
              + " is in force, version "
              + versions.next()
              + " waits for "
              + String.join(", ", versions.waitsFor()));
    }
  }
}
