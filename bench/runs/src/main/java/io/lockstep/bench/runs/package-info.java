/**
 * What the benchmarks and the fault runs have in common: their command line and its failure, child
 * processes and their memory, and where a result comes from. Of Lockstep this imports {@code
 * io.lockstep.deploy.launch} only.
 */
@NullMarked
package io.lockstep.bench.runs;

import org.jspecify.annotations.NullMarked;
