/** Commands that list what a cluster consists of: nodes, switches, links and hosts. */
@NullMarked
package io.lockstep.deploy.cli.list;

import org.jspecify.annotations.NullMarked;
