/**
 * The tables and figures of the paper on the consistent data store, beside ours: the rows of {@code
 * figures.json}, and the runs that measure them.
 */
@NullMarked
package io.lockstep.bench.figures;

import org.jspecify.annotations.NullMarked;
