/**
 * The replicated ordering engine on BFT-SMaRt, the only place that knows that library. Two doors
 * lead in: {@link io.lockstep.store.engine.bftsmart.BftSmartReplica} and {@link
 * io.lockstep.store.engine.bftsmart.BftSmartClient}; everything else is private to the room.
 *
 * <p>The library orders and nothing more. Its sockets, its table of pending requests, its timers,
 * its start-up, its state transfer and its client are replaced by ours; docs/adr/0002 says why and
 * how. A request's way: {@code BftSmartClient} - {@code ClientPort} - {@code PendingRequests} - the
 * library's proposer and acceptors over {@code ReplicaLinks} - {@code OrderedState} - {@code
 * ClientPort} - {@code BftSmartClient}.
 *
 * <p><b>Neither the replica links nor the client ports are authenticated or encrypted yet.</b> A
 * handshake refuses processes of another cluster, which guards against mistakes, not against
 * attackers. Both ports of every replica must be reachable only from the cluster's own machines.
 */
@NullMarked
package io.lockstep.store.engine.bftsmart;

import org.jspecify.annotations.NullMarked;
