/**
 * Watchers that follow the tables during a run, and the check that they saw every change once and
 * in order.
 */
@NullMarked
package io.lockstep.history.watch;

import org.jspecify.annotations.NullMarked;
