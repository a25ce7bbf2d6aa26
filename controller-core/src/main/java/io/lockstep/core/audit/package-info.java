/**
 * The audit trail: who changed what through the admin HTTP of any node. It is a table of the store,
 * bounded in number and bytes; an append removes the oldest entries in the same operation
 * (docs/adr/0040). {@code deploy} says what to append and shows it.
 */
@NullMarked
package io.lockstep.core.audit;

import org.jspecify.annotations.NullMarked;
