/**
 * Where hosts are: learned from what they send on edge ports, kept in the store, moved only when
 * their old place is gone or silent. Neighbours: {@code packet} shows every packet to the tracker
 * before applications see it.
 */
@NullMarked
package io.lockstep.core.host;

import org.jspecify.annotations.NullMarked;
