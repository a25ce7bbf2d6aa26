/**
 * Emulated hosts: an address, one port, ARP, ping and short TCP exchanges. Every host belongs to
 * one event loop, its results come as futures. Knows frames and cables, no switch and no OpenFlow.
 */
@NullMarked
package io.lockstep.dataplane.host;

import org.jspecify.annotations.NullMarked;
