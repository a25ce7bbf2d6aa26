/**
 * The node's soft state: one control thread, and local copies of store tables that follow the
 * store's changes. A copy is eventually current, never linearizable: whoever needs certainty asks
 * the store with a command. Neighbours: every other room of the node declares its tables here
 * before the node starts and listens to them on the control loop.
 */
@NullMarked
package io.lockstep.core.state;

import org.jspecify.annotations.NullMarked;
