/**
 * Real processes for integration tests: nodes and clusters of the built distribution, run in a
 * directory of their own on ports of their own. Every wait has a deadline, and a wait that fails
 * shows the logs.
 */
@NullMarked
package io.lockstep.deploy.testbed;

import org.jspecify.annotations.NullMarked;
