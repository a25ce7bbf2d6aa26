/** Whole controller nodes under load, in processes of their own. */
@NullMarked
package io.lockstep.bench.cluster;

import org.jspecify.annotations.NullMarked;
