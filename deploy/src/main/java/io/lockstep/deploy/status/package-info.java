/** Asks nodes over their admin HTTP and shows the cluster as a table or as JSON. */
@NullMarked
package io.lockstep.deploy.status;

import org.jspecify.annotations.NullMarked;
