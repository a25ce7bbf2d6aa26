/**
 * The replicated ordering engine on BFT-SMaRt, the only package that uses that library. Its two
 * entry points are {@link io.lockstep.store.engine.bftsmart.BftSmartReplica} and {@link
 * io.lockstep.store.engine.bftsmart.BftSmartClient}. All else is private to the package.
 *
 * <p>The library only orders. Its sockets, its table of pending requests, its timers, its start-up,
 * its state transfer and its client are replaced by ours; docs/adr/0002 says why and how. A request
 * passes {@code BftSmartClient}, {@code ClientPort}, {@code PendingRequests}, the library's
 * proposer and acceptors over {@code ReplicaLinks}, {@code OrderedState}, {@code ClientPort} and
 * again {@code BftSmartClient}.
 *
 * <p>With keys ({@link io.lockstep.store.engine.bftsmart.ReplicaConfig#withKeys}) both ports of a
 * replica are authenticated and encrypted: docs/adr/0037. <b>Without keys they are neither.</b> A
 * handshake refuses processes of another cluster then, which guards against mistakes, not against
 * attackers. Only the cluster's own machines may reach the two ports.
 */
@NullMarked
package io.lockstep.store.engine.bftsmart;

import org.jspecify.annotations.NullMarked;
