/**
 * Counts what a test run left behind. {@code TestTally} is also run as a single source file by the
 * script, because a build that failed early left no classes.
 */
@NullMarked
package io.lockstep.deploy.report;

import org.jspecify.annotations.NullMarked;
