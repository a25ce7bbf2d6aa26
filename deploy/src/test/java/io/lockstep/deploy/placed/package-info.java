/** Rules at real switches with bounded tables: nodes in one process, Open vSwitch beside it. */
@NullMarked
package io.lockstep.deploy.placed;

import org.jspecify.annotations.NullMarked;
