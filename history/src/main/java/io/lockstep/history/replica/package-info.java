/**
 * The processes under test: a replica that answers questions on standard input, and deliberately
 * broken stores that the checker must catch. {@code history.nemesis} starts them.
 */
@NullMarked
package io.lockstep.history.replica;

import org.jspecify.annotations.NullMarked;
