/** Result files: what was measured, on which machine, JVM and commit, by which command line. */
@NullMarked
package io.lockstep.bench.result;

import org.jspecify.annotations.NullMarked;
