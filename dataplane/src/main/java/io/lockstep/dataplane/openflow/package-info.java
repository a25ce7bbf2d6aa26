/**
 * The switch's side of OpenFlow over TCP: connections to controllers, HELLO, roles, requests in,
 * replies and notices out. Translates between the codec's messages and the pure {@code model}; a
 * dialect per protocol version, 1.3 so far. Everything of one switch runs on its event loop.
 */
@NullMarked
package io.lockstep.dataplane.openflow;

import org.jspecify.annotations.NullMarked;
