/**
 * Clients that put the store under load and write down what they saw. {@code history.file} takes
 * the records; the replicas under load are {@code history.nemesis}'s.
 */
@NullMarked
package io.lockstep.history.load;

import org.jspecify.annotations.NullMarked;
