/**
 * Who masters which domain: the store records domain, master and epoch; sessions end by lease or by
 * a witness; roles and generation ids at the switches follow from the epoch.
 */
@NullMarked
package io.lockstep.core.mastership;

import org.jspecify.annotations.NullMarked;
