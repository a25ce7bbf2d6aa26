/**
 * The parts of a flow entry: cookie, match and treatment. Writes them as bytes of the store,
 * translates a match into the header space and back, and compares an entry with what a switch
 * reports. The rules of switches ({@code core.flow}) and the placement of rules ({@code
 * core.flow.placed}) use this package; it uses neither. Its classes use each other in one
 * direction.
 */
@NullMarked
package io.lockstep.core.flow.entry;

import org.jspecify.annotations.NullMarked;
