/**
 * Traffic through one switch model on a virtual clock: senders and receivers of packets, links that
 * take time, and what came through. Where a packet goes is asked of the switch's own tables and its
 * software path; so throughput and load follow from where the rules are. Pure: no thread, socket or
 * real clock; randomness is injected.
 */
@NullMarked
package io.lockstep.dataplane.traffic;

import org.jspecify.annotations.NullMarked;
