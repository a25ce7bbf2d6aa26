/**
 * What one flow entry is: its cookie, its match and its treatment, as bytes of the store, as points
 * of the header space, and compared with what a switch reports. The rules of switches ({@code
 * core.flow}) and the placement of rules ({@code core.flow.placed}) use it; it uses neither.
 */
@NullMarked
package io.lockstep.core.flow.entry;

import org.jspecify.annotations.NullMarked;
