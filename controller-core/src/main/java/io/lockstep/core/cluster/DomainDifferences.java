package io.lockstep.core.cluster;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares the domains of a file with those in force. Masters that a file does not name are no
 * difference, nor is the order of the domains. Pure.
 */
final class DomainDifferences {
  private static final String NOTHING = "-";

  private DomainDifferences() {}

  /** At most {@link Difference#MAX_LISTED}, in the order of the file. */
  static List<Difference> of(
      String node, String path, List<DomainConfig> listed, DomainMap inForce) {
    DomainMap file = DomainMap.of(listed);
    Set<String> names = new LinkedHashSet<>();
    file.domains().forEach(domain -> names.add(domain.name()));
    inForce.domains().forEach(domain -> names.add(domain.name()));
    List<Difference> differences = new ArrayList<>();
    for (String name : names) {
      DomainConfig here = file.named(name);
      DomainConfig there = inForce.named(name);
      String switches = switches(here);
      if (!switches.equals(switches(there))) {
        differences.add(
            new Difference(node, path, "domain " + name + ": switches", switches, switches(there)));
      }
      if (here != null
          && there != null
          && !here.preferredMasters().isEmpty()
          && !here.preferredMasters().equals(there.preferredMasters())) {
        differences.add(
            new Difference(
                node,
                path,
                "domain " + name + ": masters",
                String.join(", ", here.preferredMasters()),
                String.join(", ", there.preferredMasters())));
      }
    }
    return List.copyOf(differences.subList(0, Math.min(Difference.MAX_LISTED, differences.size())));
  }

  private static String switches(@Nullable DomainConfig domain) {
    return domain == null
        ? NOTHING
        : String.join(", ", domain.dpids().stream().map(DpidRange::toString).toList());
  }
}
