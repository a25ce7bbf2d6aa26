/** The command line: one class for each command, and what their exit codes mean. */
@NullMarked
package io.lockstep.deploy.cli;

import org.jspecify.annotations.NullMarked;
