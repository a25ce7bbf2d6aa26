/**
 * Flow rules: who owns which entry of a switch, the intended rules in the store, and what makes the
 * switches follow them.
 */
@NullMarked
package io.lockstep.core.flow;

import org.jspecify.annotations.NullMarked;
