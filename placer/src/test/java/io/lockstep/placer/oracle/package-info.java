/**
 * What a switch does with packets, told without the placer: packets and rules are plain numbers, a
 * table is a list that is gone through from front to end. Nothing here calls the placer; its steps
 * are translated at the door.
 */
@NullMarked
package io.lockstep.placer.oracle;

import org.jspecify.annotations.NullMarked;
