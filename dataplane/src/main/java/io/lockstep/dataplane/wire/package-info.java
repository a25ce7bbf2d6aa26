/**
 * What carries frames inside the process: cables between the ports of stations, with bounded
 * queues, delay and rate, and the clock that everything emulated lives by. A frame crosses from one
 * station's event loop to the other's only here.
 */
@NullMarked
package io.lockstep.dataplane.wire;

import org.jspecify.annotations.NullMarked;
