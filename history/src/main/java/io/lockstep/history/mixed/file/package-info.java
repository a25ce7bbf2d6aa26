/** {@code mixed.jsonl}: one step in each line. */
@NullMarked
package io.lockstep.history.mixed.file;

import org.jspecify.annotations.NullMarked;
