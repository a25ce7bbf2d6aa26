package io.lockstep.demo.emulate;

import io.lockstep.dataplane.topology.Topology;
import io.lockstep.dataplane.topology.Topology.SwitchSpec;
import java.util.List;
import java.util.regex.Pattern;

/** The domains of a network in the form of a node's file, which {@code domain set} reads, too. */
final class DomainsText {
  /** What a node takes for the name of a domain. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

  private DomainsText() {}

  /**
   * The text. It names no masters: the nodes are preferred in turn then.
   *
   * @throws IllegalArgumentException naming a domain that no node takes, and the remedy
   */
  static String of(Topology topology) {
    StringBuilder yaml = new StringBuilder("# " + topology.name() + "\ndomains:\n");
    for (String domain : topology.domains()) {
      if (!NAME.matcher(domain).matches()) {
        throw new IllegalArgumentException(
            "domain '"
                + domain
                + "': nodes take names of 1 to 64 letters, digits, '-', '_', '.': correct it in"
                + " the topology");
      }
      List<Long> dpids =
          topology.switches().stream()
              .filter(one -> one.domain().equals(domain))
              .map(SwitchSpec::dpid)
              .sorted(Long::compareUnsigned)
              .toList();
      yaml.append("  - {name: \"").append(domain).append("\", switches: [");
      yaml.append(ranges(dpids)).append("]}\n");
    }
    return yaml.toString();
  }

  /** Sorted ids in hexadecimal, neighbours as a range. */
  private static String ranges(List<Long> sorted) {
    StringBuilder text = new StringBuilder();
    for (int from = 0; from < sorted.size(); ) {
      int to = from;
      while (to + 1 < sorted.size() && sorted.get(to + 1) == sorted.get(to) + 1) {
        to++;
      }
      text.append(from == 0 ? "" : ", ").append(Long.toHexString(sorted.get(from)));
      if (to > from) {
        text.append('-').append(Long.toHexString(sorted.get(to)));
      }
      from = to + 1;
    }
    return text.toString();
  }
}
