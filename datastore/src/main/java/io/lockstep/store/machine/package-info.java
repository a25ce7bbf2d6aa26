/**
 * Which machine is behind each replica's id, as state of the store: docs/adr/0044. A row exists for
 * each replica that was replaced. The engine reads the rows from the state and keeps no other list.
 * Pure: no thread, no clock.
 */
@NullMarked
package io.lockstep.store.machine;

import org.jspecify.annotations.NullMarked;
