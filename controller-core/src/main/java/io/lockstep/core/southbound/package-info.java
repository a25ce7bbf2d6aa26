/**
 * What the node asks of a southbound protocol, in onos-api's vocabulary. The OpenFlow channel
 * implements {@link io.lockstep.core.southbound.SwitchConnection}; the node implements {@link
 * io.lockstep.core.southbound.SwitchObserver}. Nothing here knows openflowj or a socket.
 */
@NullMarked
package io.lockstep.core.southbound;

import org.jspecify.annotations.NullMarked;
