/**
 * Disks that do what real ones may do to a process that was killed, without a machine that loses
 * its power: what was synced is copied aside, and takes the place of the rest.
 */
@NullMarked
package io.lockstep.history.replica.disk;

import org.jspecify.annotations.NullMarked;
