/**
 * SOFA-JRaft under the comparison's load: three Raft nodes with a state machine of tables, and two
 * clients of their leader: one over SOFA-JRaft's own RPC, as its users have it, and one over a
 * small framed protocol on netty, which costs less. Only this module knows SOFA-JRaft.
 */
@NullMarked
package io.lockstep.bench.jraft;

import org.jspecify.annotations.NullMarked;
