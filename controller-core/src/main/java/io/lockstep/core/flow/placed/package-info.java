/**
 * Switches whose tables are bounded: between the requested rules and the placer, which knows
 * neither onos-api nor switches. {@link io.lockstep.core.flow.placed.PlacedSwitch} is the agent
 * that owns all state of one switch. Its helpers decide and return outcomes; none of them knows the
 * agent, waits for an answer, or calls a listener. How and why:
 * docs/adr/0009-the-placer-on-the-path-of-rules.md.
 */
@NullMarked
package io.lockstep.core.flow.placed;

import org.jspecify.annotations.NullMarked;
