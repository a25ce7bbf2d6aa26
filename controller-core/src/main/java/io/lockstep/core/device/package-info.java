/**
 * The switches and their ports: written to the store by the master of each switch, under its fence,
 * and read by every node. Only the owner marks a switch offline. Neighbours: mastership says who
 * the owner is, the connections say who reaches the switch.
 */
@NullMarked
package io.lockstep.core.device;

import org.jspecify.annotations.NullMarked;
