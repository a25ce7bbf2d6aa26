package io.lockstep.core.placer;

import io.lockstep.core.placer.space.Matched;
import io.lockstep.core.placer.space.TernaryMatch;
import org.jspecify.annotations.Nullable;

/** An entry of a layer as it is known to be there. Belongs to one {@link Placement}. */
final class Entry implements Matched {
  final int layer;
  final RuleKey key;
  final Placed owner;
  final int units;

  /** Null for a cover. */
  @Nullable Object treatment;

  Entry(int layer, RuleKey key, Placed owner, int units, @Nullable Object treatment) {
    this.layer = layer;
    this.key = key;
    this.owner = owner;
    this.units = units;
    this.treatment = treatment;
  }

  boolean terminal() {
    return treatment != null;
  }

  @Override
  public TernaryMatch match() {
    return key.match();
  }
}
