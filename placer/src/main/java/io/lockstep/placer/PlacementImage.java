package io.lockstep.placer;

import io.lockstep.store.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A placement as plain data, to be stored or to be made from what a switch says.
 *
 * @param rules of the logical table, in the order in which they came
 * @param entries in the layers of the switch
 * @param capacities of the layers in units; empty for the profile's
 */
public record PlacementImage(List<Known> rules, List<InLayer> entries, List<Long> capacities) {
  /**
   * A rule.
   *
   * @param weight its traffic
   * @param sinceMillis when it came to where it is
   * @param live whether it can win a packet as far as is known; true if nothing is
   */
  public record Known(Rule rule, double weight, long sinceMillis, boolean live) {}

  /**
   * An entry.
   *
   * @param layer of the profile; {@code SwitchProfile.layerOf} tells it for an entry that was read
   * @param treatment null where it sends packets on; that of no rule where its owner does not know
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
