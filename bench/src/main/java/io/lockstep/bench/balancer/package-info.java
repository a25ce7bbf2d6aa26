/**
 * {@code bench load-balancer}: connection set-ups through three whole nodes, and many connections
 * that stay while a node is killed. Imports the played switches of {@code openflow}, the nodes of
 * {@code cluster}, and the emulated network.
 */
@NullMarked
package io.lockstep.bench.balancer;

import org.jspecify.annotations.NullMarked;
