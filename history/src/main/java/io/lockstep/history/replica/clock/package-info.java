/**
 * Clocks that jump and drift, for a whole virtual machine: an agent leads every reading of the time
 * in the classes of store, engine and network through {@link
 * io.lockstep.history.replica.clock.SkewedTime}.
 */
@NullMarked
package io.lockstep.history.replica.clock;

import org.jspecify.annotations.NullMarked;
