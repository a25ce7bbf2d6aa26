/**
 * Where everything meets: the entry point, and in the rooms below it configuration, wiring, admin
 * HTTP and status. Only the demo, the benchmarks and the fault runs import this module.
 */
@NullMarked
package io.lockstep.deploy;

import org.jspecify.annotations.NullMarked;
