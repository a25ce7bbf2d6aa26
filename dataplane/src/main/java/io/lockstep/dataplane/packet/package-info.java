/**
 * Ethernet frames as bytes: header fields read lazily, headers edited with their checksums, and the
 * few protocols emulated hosts speak. Knows no switch, no OpenFlow message, thread or clock; used
 * by the flow table next door and by the hosts.
 */
@NullMarked
package io.lockstep.dataplane.packet;

import org.jspecify.annotations.NullMarked;
