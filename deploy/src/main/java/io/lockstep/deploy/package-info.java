/**
 * Where everything meets: the entry point, and in the rooms below it configuration, wiring, admin
 * HTTP, status and demo. Nothing else imports this module, except the benchmarks.
 */
@NullMarked
package io.lockstep.deploy;

import org.jspecify.annotations.NullMarked;
