package io.lockstep.placer;

import io.lockstep.placer.space.HasMatch;
import io.lockstep.placer.space.TernaryMatch;
import io.lockstep.store.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A rule with its traffic, its layer and its entries. Belongs to one {@link Placement}. */
final class PlacedRule implements HasMatch {
  final RuleKey key;
  private final TernaryMatch match;

  /** Its position in the order of arrival. */
  final long arrival;

  /** Its entries in all layers: itself, and covers of it. */
  final List<Entry> entries = new ArrayList<>(2);

  Bytes treatment;

  /** The fields that the treatment sets, a bit each. */
  int rewrites;

  double weight;

  /** Whether it can win a packet. */
  boolean live;

  /** A rule that alone matches all its packets; a hint, since that rule may have been removed. */
  @Nullable PlacedRule shadower;

  /** The first layer that has it as a terminal entry, or the controller's. */
  int home;

  /** The layer to which it is being moved back, where that is behind its home; else 0. */
  int leavingFor;

  /** The time at which it came to its home. */
  long sinceMillis;

  /** Its number in the open {@link LayerView}, or -1. */
  int number = -1;

  PlacedRule(
      Rule rule,
      int rewrites,
      double weight,
      boolean live,
      long arrival,
      int home,
      long nowMillis) {
    this.key = rule.key();
    this.match = key.match();
    this.treatment = rule.treatment();
    this.rewrites = rewrites;
    this.weight = weight;
    this.live = live;
    this.arrival = arrival;
    this.home = home;
    this.sinceMillis = nowMillis;
  }

  Rule rule() {
    return new Rule(key, treatment);
  }

  int priority() {
    return key.priority();
  }

  @Override
  public TernaryMatch match() {
    return match;
  }

  /** Whether its packets pass a layer and are served behind it, also after its present move. */
  boolean servedBehind(int layer) {
    return Math.max(home, leavingFor) > layer;
  }

  /** Whether this rule wins over the other where they overlap. */
  boolean above(PlacedRule other) {
    return key.priority() > other.key.priority();
  }
}
