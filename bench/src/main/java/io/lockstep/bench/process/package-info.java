/** Processes of a run: the directory that they get, and their CPU time. */
@NullMarked
package io.lockstep.bench.process;

import org.jspecify.annotations.NullMarked;
