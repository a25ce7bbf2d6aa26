package io.lockstep.core.cluster;

import java.util.List;

/**
 * A domain: switches that one node masters together.
 *
 * @param name unique in the cluster
 * @param dpids which switches belong to it
 * @param preferredMasters node ids, the first choice first; nodes that are not named come after
 *     them. May be empty: then the domains are spread over the members in order
 */
public record DomainConfig(String name, List<DpidRange> dpids, List<String> preferredMasters) {
  public DomainConfig {
    NameSyntax.require(name, "domain");
    dpids = List.copyOf(dpids);
    preferredMasters = List.copyOf(preferredMasters);
  }

  /** Whether a switch belongs to the domain. */
  public boolean contains(long dpid) {
    for (DpidRange range : dpids) {
      if (range.contains(dpid)) {
        return true;
      }
    }
    return false;
  }
}
