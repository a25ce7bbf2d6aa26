package io.lockstep.placer;

import io.lockstep.placer.space.HasMatch;
import io.lockstep.placer.space.TernaryMatch;
import io.lockstep.store.Bytes;
import org.jspecify.annotations.Nullable;

/** An entry of a layer as it is known to be there. Belongs to one {@link Placement}. */
final class Entry implements HasMatch {
  final int layer;
  final RuleKey key;
  final PlacedRule owner;
  final int units;

  /** Null for a cover. */
  @Nullable Bytes treatment;

  Entry(int layer, RuleKey key, PlacedRule owner, int units, @Nullable Bytes treatment) {
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
