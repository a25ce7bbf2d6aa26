/**
 * What is known of a switch: its layers, what each holds and how much. Built in ones are resources
 * beside this package; others are read from a file. Everything is immutable.
 */
@NullMarked
package io.lockstep.placer.profile;

import org.jspecify.annotations.NullMarked;
