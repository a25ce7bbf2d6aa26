/**
 * The replicated store under load: workloads as an application's flows use it, in a closed loop,
 * against replicas in processes of their own.
 */
@NullMarked
package io.lockstep.bench.store;

import org.jspecify.annotations.NullMarked;
