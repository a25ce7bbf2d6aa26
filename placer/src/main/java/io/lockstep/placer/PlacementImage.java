package io.lockstep.placer;

import io.lockstep.store.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A placement as plain data, to be stored, or to be made from the entries that a switch reports.
 *
 * @param rules of the logical table, in the order of arrival
 * @param entries in the layers of the switch
 * @param capacities of the layers in units; empty for those of the profile
 */
public record PlacementImage(List<Known> rules, List<InLayer> entries, List<Long> capacities) {
  /**
   * A rule.
   *
   * @param weight its traffic
   * @param sinceMillis when it came to its layer
   * @param live whether it can win a packet; true if unknown
   */
  public record Known(Rule rule, double weight, long sinceMillis, boolean live) {}

  /**
   * An entry.
   *
   * @param layer of the profile; see {@code SwitchProfile.layerOf} for an entry that was read
   * @param treatment null if it sends packets on; one that no rule has if the owner does not know
   *     it
   */
  public record InLayer(int layer, RuleKey key, @Nullable Bytes treatment) {}

  public PlacementImage {
    rules = List.copyOf(rules);
    entries = List.copyOf(entries);
    capacities = List.copyOf(capacities);
  }

  /** This image with other rules. */
  PlacementImage withRules(List<Known> others) {
    return new PlacementImage(others, entries, capacities);
  }
}
