/**
 * Switches whose tables are bounded: between the rules that are wanted and the placer, which knows
 * neither onos-api nor switches. {@link io.lockstep.core.flow.placed.PlacedSwitch} carries the
 * placer's plans out, step by step, and keeps in the store what a new master needs to go on; {@link
 * io.lockstep.core.flow.entry.HeaderSpace} translates matches. How and why:
 * docs/adr/0009-the-placer-on-the-path-of-rules.md.
 */
@NullMarked
package io.lockstep.core.flow.placed;

import org.jspecify.annotations.NullMarked;
