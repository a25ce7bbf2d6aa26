/**
 * The node put together: its rooms by their constructors, its two threads, what switches do led to
 * the rooms, onos-api's services for others' applications, and its status. Neighbours: deploy makes
 * the store's client and the southbound and gives them to this room.
 */
@NullMarked
package io.lockstep.core.node;

import org.jspecify.annotations.NullMarked;
