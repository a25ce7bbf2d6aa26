/**
 * The load balancer: virtual IPs that stand for the members of a pool. {@code LoadBalancer} decides
 * on packets, {@code state} keeps configuration and connections in the store, {@code frame} reads
 * and writes frames. Pure, as applications are; docs/adr/0030 has the walk.
 */
@NullMarked
package io.lockstep.apps.loadbalancer;

import org.jspecify.annotations.NullMarked;
