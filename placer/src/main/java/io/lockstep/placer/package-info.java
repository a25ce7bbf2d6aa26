/**
 * The rule placer decides which rule of the one logical table is in which layer of a switch, and
 * plans the flow-mods that bring it there. {@link io.lockstep.placer.Placer} is the entry: it turns
 * changes into plans, whose steps its owner sends to the switch and confirms one by one. {@code
 * Placement} records the known entries of the switch, {@code Moves} plans invisible steps, {@code
 * Changes} the visible step of a change with the invisible ones around it, and {@code choice}
 * selects the rules of each layer. The package has no I/O, thread, clock or randomness, and no
 * types of onos-api: a treatment is a byte string that the placer only compares. The model and its
 * proof: docs/adr/0008-layers-of-flow-tables.md.
 */
@NullMarked
package io.lockstep.placer;

import org.jspecify.annotations.NullMarked;
