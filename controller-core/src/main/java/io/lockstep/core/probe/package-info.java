/**
 * Finds out by OpenFlow what the flow tables of a switch hold: inserts rules in doubling steps, and
 * tells from refusals, statistics and the time packets take where they went. {@link
 * io.lockstep.core.probe.SwitchProbe} is the door; all thinking is behind {@link
 * io.lockstep.core.probe.ProbeTarget}, which a scripted switch can be as well as a real one.
 */
@NullMarked
package io.lockstep.core.probe;

import org.jspecify.annotations.NullMarked;
