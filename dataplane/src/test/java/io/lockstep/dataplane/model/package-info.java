/** Tests of the switch without its channel. */
@NullMarked
package io.lockstep.dataplane.model;

import org.jspecify.annotations.NullMarked;
