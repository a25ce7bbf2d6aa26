/** {@code mixed.jsonl}: one step in each line. */
@NullMarked
package io.lockstep.bench.history.mixed.file;

import org.jspecify.annotations.NullMarked;
