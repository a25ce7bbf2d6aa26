/**
 * A load generator that plays OpenFlow 1.3 switches. Its switches have isolated edge ports with
 * emulated hosts behind them, connect to every given controller as a real switch does, hand up the
 * first packet of flows between hosts the controller has learned, and time the answers.
 *
 * <p>A packet-in's way: {@link io.lockstep.bench.openflow.ClosedLoop} picks a flow, {@link
 * io.lockstep.bench.openflow.FlowExchange} remembers it, {@link
 * io.lockstep.bench.openflow.SwitchChannel} sends it; back through {@link
 * io.lockstep.bench.openflow.AnswerReader} and the exchange to the loop. Everything runs on one
 * event loop, so nothing here is locked.
 */
@NullMarked
package io.lockstep.bench.openflow;

import org.jspecify.annotations.NullMarked;
