/**
 * The rule placer: which rule of the one logical table is in which layer of a switch, and by which
 * flow-mods it gets there. {@link io.lockstep.placer.Placer} is the door: it turns changes into
 * plans, whose steps its owner sends to the switch and confirms one by one. Behind it, {@code
 * Placement} is what is known to be there, {@code Moves} are the steps that nobody sees, {@code
 * Changes} those around the one that everybody sees, and {@code choice} decides who goes where. No
 * I/O, thread, clock or randomness; no types of onos-api: a treatment is a byte string that the
 * placer only compares. The model and its proof: docs/adr/0008-layers-of-flow-tables.md.
 */
@NullMarked
package io.lockstep.placer;

import org.jspecify.annotations.NullMarked;
