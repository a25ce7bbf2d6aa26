package io.lockstep.core.flow.placed;

import io.lockstep.core.placer.RuleKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rules that a switch confirms and does not keep: one that is missing or changed in several
 * read-backs, each time after it was written again, is not installed, whatever the switch says. It
 * goes on being written, and is installed when it stays. Control loop only.
 */
final class FalseConfirmations {
  /** Read-backs in a row; one may be an operator who emptied the tables. */
  private static final int TOO_OFTEN = 3;

  private final PlacedSwitch owner;
  private final Map<RuleKey, Integer> missed = new HashMap<>();

  FalseConfirmations(PlacedSwitch owner) {
    this.owner = owner;
  }

  /** A read-back shows all rules but these. */
  void present(Set<RuleKey> missing) {
    for (RuleKey key : List.copyOf(missed.keySet())) {
      if (!missing.contains(key)) {
        if (missed.getOrDefault(key, 0) >= TOO_OFTEN) {
          owner.queue.put(key); // looks, finds it in the ledger, and tells
        }
        missed.remove(key);
      }
    }
  }

  /** These are missing and are written again. */
  void missing(Set<RuleKey> missing) {
    for (RuleKey key : missing) {
      int times = missed.getOrDefault(key, 0) + 1;
      missed.put(key, times);
      if (times == TOO_OFTEN) {
        owner.refuse(
            key,
            String.format(
                "%s: %s: the switch confirmed it %d times and does not have it as it was sent (%s)",
                owner.site.name(), key, TOO_OFTEN, owner.room()));
      }
    }
  }
}
