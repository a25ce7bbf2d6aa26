/**
 * The OpenFlow 1.3.5 pipeline as a pure model: matches, flow tables, instructions, action sets,
 * time-outs, counters. Time is an argument, output goes to an interface; no thread, socket or wire
 * format. The switch next door ({@code model}) adds ports and buffers.
 */
@NullMarked
package io.lockstep.dataplane.flowtable;

import org.jspecify.annotations.NullMarked;
