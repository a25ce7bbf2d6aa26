package io.lockstep.core.mastership;

import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import org.jspecify.annotations.Nullable;

/**
 * One connection, for the status.
 *
 * @param role what the switch granted; null where nothing is known
 * @param mastered whether this node may act on it now
 * @param trouble what stands in the way of the wanted role; empty where nothing does
 */
public record SwitchStatus(
    SwitchConnection connection, @Nullable SwitchRole role, boolean mastered, String trouble) {}
