/** Commands for flow rules and for paths of flows. */
@NullMarked
package io.lockstep.deploy.cli.flow;

import org.jspecify.annotations.NullMarked;
