/**
 * Switches that send as fast as they can, as cbench plays them, beside a quiet one, at three whole
 * nodes.
 */
@NullMarked
package io.lockstep.bench.overload;

import org.jspecify.annotations.NullMarked;
