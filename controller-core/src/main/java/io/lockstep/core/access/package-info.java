/**
 * People and programs that operate the cluster: their names, roles and the digests of their tokens,
 * kept in the store so that every node knows the same ones. The admin HTTP asks {@link Users} who
 * sent a request. Neighbours: {@code core.state} for the view, {@code core.operation} offers the
 * resource {@code users}.
 */
@NullMarked
package io.lockstep.core.access;

import org.jspecify.annotations.NullMarked;
