package io.lockstep.core.path;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One version of a path: its hops from the ingress to the egress, and the tag between them.
 *
 * @param tag a VLAN, or 0 where packets stay as they come from the host
 * @param hops none for a path that is not there; no switch twice
 */
record Route(int tag, List<Hop> hops) {
  /** Switches on a path at most. */
  static final int MAX_HOPS = 32;

  /** No path. */
  static final Route NONE = new Route(0, List.of());

  Route {
    hops = List.copyOf(hops);
    check(hops);
    if (tag < 0 || tag > PathConfig.MAX_TAG) {
      throw new IllegalArgumentException(
          "tag " + tag + " is not within 0 to " + PathConfig.MAX_TAG);
    }
    if (tag != 0 && hops.size() < 2) {
      throw new IllegalArgumentException(hops.size() + " hops need no tag");
    }
  }

  /**
   * Checks the hops of a path.
   *
   * @throws IllegalArgumentException naming what is wrong
   */
  static void check(List<Hop> hops) {
    if (hops.size() > MAX_HOPS) {
      throw new IllegalArgumentException(
          "a path of " + hops.size() + " switches: at most " + MAX_HOPS + " are allowed");
    }
    Set<Long> seen = new HashSet<>();
    for (Hop hop : hops) {
      if (!seen.add(hop.dpid())) {
        throw new IllegalArgumentException(
            "switch " + Long.toHexString(hop.dpid()) + " is on the path twice: that is a loop");
      }
    }
  }

  boolean isNone() {
    return hops.isEmpty();
  }

  /** The slot of the ingress. The route has hops. */
  PathSlot ingress() {
    return new PathSlot(hops.get(0).dpid(), 0);
  }

  /** The rules of this version, from the ingress to the egress. */
  List<SlotRule> rules() {
    List<SlotRule> rules = new ArrayList<>(hops.size());
    for (int i = 0; i < hops.size(); i++) {
      Hop hop = hops.get(i);
      boolean first = i == 0;
      boolean last = i == hops.size() - 1;
      rules.add(
          new SlotRule(new PathSlot(hop.dpid(), first ? 0 : tag), last ? 0 : tag, hop.outPort()));
    }
    return rules;
  }
}
