/**
 * Static flows: rules that operators write (docs/adr/0039). A row of the store has what the
 * operator wrote; the rule itself is an intended rule like any other, written in the same
 * operation. So the masters install it, put it back, and record what became of it. Neighbours:
 * {@code core.flow} has intended rules, {@code core.resource} what operators are offered.
 */
@NullMarked
package io.lockstep.core.staticflow;

import org.jspecify.annotations.NullMarked;
