/**
 * Paths of flows through several switches, of several domains, that change as one (docs/adr/0033).
 * {@link io.lockstep.core.path.PathSteps} is the pure core: a row of a path and the states of its
 * rules give the next write. {@link io.lockstep.core.path.PathDriver} does that on every node;
 * {@link io.lockstep.core.path.PathService} is what others ask. The rules go to the switches as
 * intended rules, through {@link io.lockstep.core.flow.RoomRules}.
 */
@NullMarked
package io.lockstep.core.path;

import org.jspecify.annotations.NullMarked;
