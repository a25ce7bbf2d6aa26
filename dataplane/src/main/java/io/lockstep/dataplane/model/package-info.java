/**
 * One switch as a pure model: ports, packet buffers and the pipeline of {@code flowtable} behind a
 * single entrance for frames and requests and a single exit for frames and notices. What goes
 * through the switch's processor waits here ({@code SoftwarePath}). No thread, socket, clock or
 * wire format; the agent in {@code openflow} and the emulated network drive it.
 */
@NullMarked
package io.lockstep.dataplane.model;

import org.jspecify.annotations.NullMarked;
