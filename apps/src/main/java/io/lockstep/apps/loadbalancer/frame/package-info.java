/**
 * Frames as the load balancer reads and answers them: ARP, IPv4, TCP, UDP and ICMP. Pure functions
 * over bytes; each length is checked before it is used. Knows no switch and no store.
 */
@NullMarked
package io.lockstep.apps.loadbalancer.frame;

import org.jspecify.annotations.NullMarked;
