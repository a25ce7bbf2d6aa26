/**
 * What a switch has to do with a packet, told from the rules that were asked for. Shares no code
 * with the placer, with what carries its plans out, nor with the emulated switch, but for how a
 * rule is handed over.
 */
@NullMarked
package io.lockstep.deploy.placed.oracle;

import org.jspecify.annotations.NullMarked;
