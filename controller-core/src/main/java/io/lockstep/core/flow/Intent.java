package io.lockstep.core.flow;

import org.onosproject.net.flow.FlowRule;

/**
 * The intention for one rule.
 *
 * @param remove whether the rule is to be removed; the store keeps the record until the switch has
 *     lost the rule
 * @param displaceable whether an entry with more traffic may take its place (ADR 0052)
 */
record Intent(FlowRule rule, boolean remove, boolean displaceable) {
  /** The intention for a rule that stays while it is intended. */
  Intent(FlowRule rule, boolean remove) {
    this(rule, remove, false);
  }
}
