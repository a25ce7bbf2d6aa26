/**
 * What the store does when replicas go and come: real replica processes, started as an operator
 * starts them, killed with -9, wiped and started again under load.
 */
@NullMarked
package io.lockstep.bench.failover;

import org.jspecify.annotations.NullMarked;
