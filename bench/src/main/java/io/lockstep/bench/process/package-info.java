/**
 * Processes of a run: started with a directory of their own, ended with the run, their CPU time.
 */
@NullMarked
package io.lockstep.bench.process;

import org.jspecify.annotations.NullMarked;
