/**
 * Atomix, the store under ONOS, under the comparison's load: three members of a Raft partition
 * group with its log in mapped files, atomic maps with linearizable reads, and a primitive of our
 * own for the procedures. Only this module knows Atomix.
 */
@NullMarked
package io.lockstep.bench.atomix;

import org.jspecify.annotations.NullMarked;
