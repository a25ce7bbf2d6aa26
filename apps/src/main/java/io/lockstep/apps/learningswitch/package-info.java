/**
 * The learning switch (section VI-B of "A consistent and fault-tolerant data store for software
 * defined networks"): every switch has a table of addresses and ports in the store, filled from the
 * packets that come by. One ordered operation learns the source and finds the destination.
 */
@NullMarked
package io.lockstep.apps.learningswitch;

import org.jspecify.annotations.NullMarked;
