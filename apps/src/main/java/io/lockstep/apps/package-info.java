/**
 * The applications. Each has its own room with its decision logic, which is pure, and its micro
 * components, which run inside the store's replicas.
 */
@NullMarked
package io.lockstep.apps;

import org.jspecify.annotations.NullMarked;
