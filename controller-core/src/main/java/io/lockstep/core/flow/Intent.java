package io.lockstep.core.flow;

import org.onosproject.net.flow.FlowRule;

/**
 * What is intended of one rule.
 *
 * @param remove whether it shall go; the record itself goes once it is gone from the switch
 */
record Intent(FlowRule rule, boolean remove) {}
