/**
 * A switch with several bounded tables, and what it does with packets, told from its flow-mods
 * alone. Shares no code with the placer, nor with what carries its plans out.
 */
@NullMarked
package io.lockstep.core.flow.oracle;

import org.jspecify.annotations.NullMarked;
