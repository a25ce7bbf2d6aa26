/** Tests of hosts. */
@NullMarked
package io.lockstep.dataplane.host;

import org.jspecify.annotations.NullMarked;
