/** Tests of cables. */
@NullMarked
package io.lockstep.dataplane.wire;

import org.jspecify.annotations.NullMarked;
