/** The levels of a node's loggers over the admin HTTP. */
@NullMarked
package io.lockstep.deploy.admin.log;

import org.jspecify.annotations.NullMarked;
