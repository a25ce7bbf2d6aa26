/**
 * Header space: what rules match, as ternary values over the fields of a packet. Nothing here knows
 * of rules, switches or onos-api; everything is pure and owned by whoever calls.
 */
@NullMarked
package io.lockstep.placer.space;

import org.jspecify.annotations.NullMarked;
