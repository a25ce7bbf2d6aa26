/** Tests of frames. */
@NullMarked
package io.lockstep.dataplane.packet;

import org.jspecify.annotations.NullMarked;
