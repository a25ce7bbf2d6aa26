/** Tests of the figures of emulated switches. */
@NullMarked
package io.lockstep.bench.switchmodel;

import org.jspecify.annotations.NullMarked;
