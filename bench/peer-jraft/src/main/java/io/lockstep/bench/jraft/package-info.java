/**
 * SOFA-JRaft under the comparison's load: three Raft nodes with a state machine of tables, and a
 * client of their leader over a small framed protocol on netty, so that no general RPC layer costs
 * the peer anything. Only this module knows SOFA-JRaft.
 */
@NullMarked
package io.lockstep.bench.jraft;

import org.jspecify.annotations.NullMarked;
