/**
 * Judges {@code mixed.jsonl}: is there one order of all steps, the store's indices, that explains
 * every answer? Pure.
 */
@NullMarked
package io.lockstep.history.mixed.check;

import org.jspecify.annotations.NullMarked;
