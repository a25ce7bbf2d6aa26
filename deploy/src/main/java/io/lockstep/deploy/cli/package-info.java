/**
 * The command line: one class for each command. What their exit codes mean is in {@code process}.
 */
@NullMarked
package io.lockstep.deploy.cli;

import org.jspecify.annotations.NullMarked;
