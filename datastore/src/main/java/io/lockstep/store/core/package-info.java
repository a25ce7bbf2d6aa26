/**
 * The pure store: tables, sessions and the state machine that applies ordered requests to them.
 * This package uses no thread, clock, socket or random number, and nothing in it depends on hash
 * order: the same requests in the same order give the same replies and the same snapshot
 * everywhere.
 *
 * <p>Neighbours: {@code engine} calls {@link StoreStateMachine}; {@code codec} reads and writes its
 * bytes.
 */
@NullMarked
package io.lockstep.store.core;

import org.jspecify.annotations.NullMarked;
