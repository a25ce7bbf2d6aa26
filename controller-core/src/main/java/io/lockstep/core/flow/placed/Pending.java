package io.lockstep.core.flow.placed;

import io.lockstep.core.placer.RuleKey;

/**
 * What a plan that is being carried out says of the books, as it is stored before its first step.
 */
sealed interface Pending {
  /** A rule comes, or has another treatment. */
  record Put(PlacedRow row) implements Pending {}

  /** A rule goes. */
  record Drop(RuleKey key) implements Pending {}

  /** It turned out whether a rule can win a packet. */
  record Live(RuleKey key, boolean live) implements Pending {}

  /** A layer has another capacity. */
  record Resize(int layer, long units) implements Pending {}
}
