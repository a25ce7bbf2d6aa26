package io.lockstep.core.flow;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.flow.entry.HeaderSpace.Inexpressible;
import io.lockstep.core.flow.placed.LogicalRule;
import io.lockstep.core.flow.placed.LogicalRule.Origin;
import io.lockstep.placer.RuleKey;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.flow.FlowRule;

/** Intended rules as rules of a placed switch's one logical table. Pure. */
final class PlaceableIntents {
  private PlaceableIntents() {}

  /**
   * The rule of the logical table.
   *
   * @throws Inexpressible where the placer cannot take it; the message says why
   */
  static LogicalRule logical(Intent intent) throws Inexpressible {
    FlowRule rule = intent.rule();
    if (IntentTable.tableNumber(rule) != 0) {
      throw new Inexpressible(
          "table " + rule.table() + ": the tables of this switch are used as one, write to 0");
    }
    return LogicalRule.of(rule.priority(), rule.selector(), rule.treatment(), Origin.INTENDED)
        .withTimeouts(rule.isPermanent() ? 0 : rule.timeout(), rule.hardTimeout())
        .withFormerCookie(Cookies.intended(rule))
        .withDisplaceable(intent.displaceable() && LogicalRule.sendsToPorts(rule.treatment()));
  }

  /** Its priority and match; null where the placer cannot take it. */
  static @Nullable RuleKey keyOf(Intent intent) {
    try {
      return logical(intent).key();
    } catch (Inexpressible e) {
      return null;
    }
  }
}
