/**
 * The pure core on one thread, without sockets or consensus: what the state machine itself costs.
 */
@NullMarked
package io.lockstep.bench.core;

import org.jspecify.annotations.NullMarked;
