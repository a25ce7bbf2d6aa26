/** The emulated switches beside the figures of the paper that measured the real ones. */
@NullMarked
package io.lockstep.bench.switchmodel;

import org.jspecify.annotations.NullMarked;
