/** The clients that make the steps of {@code mixed.jsonl}. */
@NullMarked
package io.lockstep.bench.history.mixed.load;

import org.jspecify.annotations.NullMarked;
