package io.lockstep.core.flow;

import org.onosproject.net.flow.FlowRule;

/**
 * The intention for one rule.
 *
 * @param remove whether the rule is to be removed; the store keeps the record until the switch has
 *     lost the rule
 */
record Intent(FlowRule rule, boolean remove) {}
