/**
 * The paper's applications beside the product's: the same learning switch, load balancer and device
 * manager, which reach the store as each column of the paper's tables says. {@link
 * io.lockstep.bench.variant.Variant} has the columns, docs/STORE_ACCESS.md what differs.
 *
 * <p>Neighbours: {@code apps} has the applications and the interfaces through which they reach the
 * store, {@code controller-core} the device manager's; {@code bench.compare} the paper's tables.
 */
@NullMarked
package io.lockstep.bench.variant;

import org.jspecify.annotations.NullMarked;
