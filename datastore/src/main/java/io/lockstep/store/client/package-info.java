/**
 * The store's client: batches commands over an ordering engine, keeps a session, follows the
 * changes of tables. All state belongs to the engine client's loop; other threads only hand work
 * over through a bounded queue.
 *
 * <p>Neighbours: {@code engine} carries the requests, {@code codec} writes and reads them.
 */
@NullMarked
package io.lockstep.store.client;

import org.jspecify.annotations.NullMarked;
