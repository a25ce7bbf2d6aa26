/**
 * Measures the tables and figures of the paper on the consistent data store: which points, by how
 * many forks, and the rows that come of them.
 */
@NullMarked
package io.lockstep.bench.evaluation;

import org.jspecify.annotations.NullMarked;
