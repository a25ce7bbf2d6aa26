/**
 * Result files: what was measured, on which machine, JVM and commit, by which command line. Also
 * the options that name the file and the points of a run, since every benchmark has them.
 */
@NullMarked
package io.lockstep.bench.result;

import org.jspecify.annotations.NullMarked;
