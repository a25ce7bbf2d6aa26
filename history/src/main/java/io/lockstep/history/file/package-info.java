/** History files: one JSON object in each line. {@code history.check} judges what is in them. */
@NullMarked
package io.lockstep.history.file;

import org.jspecify.annotations.NullMarked;
