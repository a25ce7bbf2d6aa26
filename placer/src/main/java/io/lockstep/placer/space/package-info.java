/**
 * Header space: the matches of rules as ternary values over the fields of a packet. The package
 * knows no rules, switches or onos-api; everything is pure, and owned by its caller.
 */
@NullMarked
package io.lockstep.placer.space;

import org.jspecify.annotations.NullMarked;
