/**
 * Decides whether a history of operations is linearizable. Pure: no socket, file or clock; what was
 * recorded comes in, violations come out. {@code history.file} reads histories.
 */
@NullMarked
package io.lockstep.history.check;

import org.jspecify.annotations.NullMarked;
