/**
 * The recorder of a running node (adr/0035): sees each operation on its way to the store and each
 * event of an application, and writes them to a trace while it is on. Neighbours: {@code trace} has
 * the format, {@code packet} begins and ends events.
 */
@NullMarked
package io.lockstep.core.recording;

import org.jspecify.annotations.NullMarked;
