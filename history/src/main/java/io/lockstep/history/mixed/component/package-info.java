/** The micro components that a run registers in its replicas, and what they are asked. */
@NullMarked
package io.lockstep.history.mixed.component;

import org.jspecify.annotations.NullMarked;
