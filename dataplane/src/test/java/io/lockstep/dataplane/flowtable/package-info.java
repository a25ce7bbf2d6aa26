/** Tests of the flow table, clause by clause. */
@NullMarked
package io.lockstep.dataplane.flowtable;

import org.jspecify.annotations.NullMarked;
