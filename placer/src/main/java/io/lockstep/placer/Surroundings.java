package io.lockstep.placer;

import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the live rules and the entries of a layer that overlap a part of a match, and are above a
 * priority. A rule that leaves a layer concerns many entries below it. Where many rules are above
 * each of these, it is faster to find once what is above all of them, highest first, than to look
 * for it again each time. While these entries are secured it may miss new ones, which at worst
 * costs covers, but no entry that it shows is gone. Valid until a rule comes or goes.
 */
final class Surroundings {
  /** Rules that look-ups show before what is above all entries is found, and for each look-up. */
  private static final int MANY_SHOWN = 8192;

  private static final int MANY_AT_ONCE = 32;

  /** So many rules are looked at before it shows whether that pays. */
  private static final int TRIED = 4096;

  private final Placement placement;
  private final TernaryMatch match;
  private final int lowest;
  private final LayerTable table;
  private @Nullable List<PlacedRule> rules;
  private List<Entry> entries = List.of();
  private int lookUps;
  private long shownByIndex;
  private long looked;
  private long shown;

  /**
   * What is above some terminal entries, as far as it overlaps a match.
   *
   * @param below the owners of these entries
   */
  Surroundings(Placement placement, TernaryMatch match, List<PlacedRule> below, int layer) {
    this.placement = placement;
    this.match = match;
    this.table = placement.layers.get(layer);
    int least = Integer.MAX_VALUE;
    for (PlacedRule rule : below) {
      least = Math.min(least, rule.priority());
    }
    this.lowest = least;
  }

  /** What is above all entries, where it pays to know it. */
  private @Nullable List<PlacedRule> listed() {
    if (rules == null && shownByIndex > MANY_SHOWN + (long) lookUps * MANY_AT_ONCE) {
      List<PlacedRule> all = new ArrayList<>();
      placement.forEachLiveAbove(lowest, match, all::add);
      all.sort(Comparator.comparingInt(PlacedRule::priority).reversed());
      entries = new ArrayList<>();
      table.forEachAbove(lowest, match, entries::add);
      entries.sort(Comparator.<Entry>comparingInt(entry -> entry.key.priority()).reversed());
      rules = all;
    }
    return looked < TRIED || looked <= 4 * shown ? rules : null;
  }

  /** Visits the live rules above a priority that overlap a part of the match. */
  void forEachRuleAbove(int priority, TernaryMatch part, Consumer<PlacedRule> visitor) {
    List<PlacedRule> all = listed();
    if (all == null) {
      lookUps++;
      placement.forEachOverlapping(
          part,
          rule -> {
            shownByIndex++;
            if (rule.live && rule.priority() > priority) {
              visitor.accept(rule);
            }
            return true;
          });
      return;
    }
    for (int i = 0; i < all.size() && all.get(i).priority() > priority; i++) {
      looked++;
      if (all.get(i).match().overlaps(part)) {
        shown++;
        visitor.accept(all.get(i));
      }
    }
  }

  /** Visits the entries of the layer above a priority that overlap a part of the match. */
  void forEachEntryAbove(int priority, TernaryMatch part, Consumer<Entry> visitor) {
    if (listed() == null) {
      table.forEachAbove(priority, part, visitor);
      return;
    }
    for (int i = 0; i < entries.size() && entries.get(i).key.priority() > priority; i++) {
      Entry entry = entries.get(i);
      if (entry.match().overlaps(part) && table.has(entry)) {
        visitor.accept(entry);
      }
    }
  }
}
