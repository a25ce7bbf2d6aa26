/**
 * Pictures of the headline results, drawn from the committed result files. They measure nothing:
 * what a picture shows is in the files that stand under it.
 */
@NullMarked
package io.lockstep.bench.pictures;

import org.jspecify.annotations.NullMarked;
