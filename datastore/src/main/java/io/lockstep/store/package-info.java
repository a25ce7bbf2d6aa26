/**
 * The vocabulary of the replicated store: byte strings, commands, replies, micro components and the
 * client. Everything here is immutable and knows neither sockets nor threads.
 *
 * <p>Neighbours: {@code core} applies commands to tables (pure), {@code codec} writes them as
 * bytes, {@code client} batches them, {@code engine} orders the batches.
 */
@NullMarked
package io.lockstep.store;

import org.jspecify.annotations.NullMarked;
