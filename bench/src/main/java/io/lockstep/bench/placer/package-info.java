/** The rule placer beside simpler policies and the optimum, with its own look at every step. */
@NullMarked
package io.lockstep.bench.placer;

import org.jspecify.annotations.NullMarked;
