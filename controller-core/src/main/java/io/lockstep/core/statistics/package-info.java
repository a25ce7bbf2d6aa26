/**
 * What switches count at their ports and flow tables: read from the switches that this node
 * masters, kept in memory for a short time, and shown in onos-api's words. Neighbours: {@code
 * southbound} asks the switch, {@code device} and {@code flow} offer the figures to applications.
 */
@NullMarked
package io.lockstep.core.statistics;

import org.jspecify.annotations.NullMarked;
