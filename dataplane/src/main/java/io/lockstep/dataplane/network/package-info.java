/**
 * The emulated network: switches, hosts and cables of a topology, alive on a few event loops, with
 * the questions tests and the demo ask of it: who reaches whom, for how long not, and which way a
 * packet went. The entrance of the module.
 */
@NullMarked
package io.lockstep.dataplane.network;

import org.jspecify.annotations.NullMarked;
