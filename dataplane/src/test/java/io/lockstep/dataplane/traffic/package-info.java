/** Tests of traffic on a virtual clock. */
@NullMarked
package io.lockstep.dataplane.traffic;

import org.jspecify.annotations.NullMarked;
