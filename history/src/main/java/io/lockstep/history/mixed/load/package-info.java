/** The clients that make the steps of {@code mixed.jsonl}. */
@NullMarked
package io.lockstep.history.mixed.load;

import org.jspecify.annotations.NullMarked;
