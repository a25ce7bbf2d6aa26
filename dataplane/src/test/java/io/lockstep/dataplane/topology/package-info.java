/** Tests of topologies and their files. */
@NullMarked
package io.lockstep.dataplane.topology;

import org.jspecify.annotations.NullMarked;
