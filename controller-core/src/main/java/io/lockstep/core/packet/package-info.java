/**
 * The way of one packet-in through the node: quota, discovery, hosts, processors, applications,
 * store, flow-mods and packet-out, all on the event loop of the switch it came from. Neighbours:
 * {@code app} is what applications see, {@code southbound} where packets come from and go to.
 */
@NullMarked
package io.lockstep.core.packet;

import org.jspecify.annotations.NullMarked;
