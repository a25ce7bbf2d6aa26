/** Fakes and clocks that the tests of several rooms share. */
@NullMarked
package io.lockstep.core.testing;

import org.jspecify.annotations.NullMarked;
