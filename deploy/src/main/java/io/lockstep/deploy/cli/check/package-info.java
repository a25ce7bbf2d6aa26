/** Commands that look for what is wrong: in a cluster, a file, a process. */
@NullMarked
package io.lockstep.deploy.cli.check;

import org.jspecify.annotations.NullMarked;
