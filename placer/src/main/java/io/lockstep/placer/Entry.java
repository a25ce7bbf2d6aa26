package io.lockstep.placer;

import io.lockstep.placer.space.HasMatch;
import io.lockstep.placer.space.TernaryMatch;
import io.lockstep.store.Bytes;
import org.jspecify.annotations.Nullable;

/** A known entry of a layer. Belongs to one {@link Placement}. */
final class Entry implements HasMatch {
  final int layer;
  final RuleKey key;
  final PlacedRule owner;
  final int units;

  /** The treatment; null for a cover. */
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
