/**
 * YAML with line numbers: documents as values, and the fields of a mapping read one by one, so that
 * all that is wrong with a file is found in one go. Knows nothing of what the files say.
 */
@NullMarked
package io.lockstep.dataplane.yaml;

import org.jspecify.annotations.NullMarked;
