/**
 * The format of traces of a node's store traffic (adr/0035, docs/TRACES.md): records, how they are
 * written and read, and the events that a reader puts together from them. Neighbours: {@code
 * recording} makes records while a node runs. Imports the store's vocabulary and codec only.
 */
@NullMarked
package io.lockstep.core.trace;

import org.jspecify.annotations.NullMarked;
