/**
 * etcd under the comparison's load: a thin client of its gRPC interface. Its servers are etcd's own
 * processes, started by {@code bench compare}.
 */
@NullMarked
package io.lockstep.bench.etcd;

import org.jspecify.annotations.NullMarked;
