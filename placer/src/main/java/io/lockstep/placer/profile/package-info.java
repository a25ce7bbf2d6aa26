/**
 * Profiles of switches: their layers, the entries that each can hold, and how many. Built-in
 * profiles are resources beside this package; others are read from a file. Everything is immutable.
 */
@NullMarked
package io.lockstep.placer.profile;

import org.jspecify.annotations.NullMarked;
