/**
 * Between onos-api's vocabulary and OpenFlow's: matches, treatments, ports, flow-mods and the hot
 * messages packet-in and packet-out. Pure functions: no state, no channel. What OpenFlow or this
 * controller cannot say is refused by name with {@code UntranslatableException}.
 */
@NullMarked
package io.lockstep.openflow.channel.translate;

import org.jspecify.annotations.NullMarked;
