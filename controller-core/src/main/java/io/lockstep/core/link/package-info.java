/**
 * What is connected to what: authenticated LLDP probes, the table of directed links, and the ports
 * that were proven to have no switch behind them. Neighbours: {@code packet} hands over received
 * LLDP frames, {@code topology} computes the broadcast tree from what is found here.
 */
@NullMarked
package io.lockstep.core.link;

import org.jspecify.annotations.NullMarked;
