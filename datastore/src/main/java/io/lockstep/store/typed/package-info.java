/**
 * The store to program against: tables of the caller's own types over a {@link
 * io.lockstep.store.StoreClient}. Start at {@link io.lockstep.store.typed.Store}.
 *
 * <p>How fresh a read is, in the only place that says so:
 *
 * <table>
 *   <caption>Reads</caption>
 *   <tr><td>call</td><td>what it shows</td></tr>
 *   <tr><td>{@code table.get}, {@code page}, {@code rows.get}, reads of columns, {@code
 *       store.query}</td>
 *       <td>linearizable: everything acknowledged before the call. Every read is ordered like a
 *       write.</td></tr>
 *   <tr><td>{@code table.staleByAtMost(Duration).get}</td>
 *       <td>what was right at some time within that span before the answer; and nothing older than
 *       this store's own acknowledged writes. Often from memory.</td></tr>
 *   <tr><td>{@code table.watch}</td>
 *       <td>local: the changes in order, none missing, some milliseconds late, and without any
 *       bound while no quorum can be reached.</td></tr>
 *   <tr><td>a node's {@code TableView} ({@code controller-core})</td>
 *       <td>local: as {@code watch}, all tables of the node at one index.</td></tr>
 * </table>
 *
 * <p>What became of an operation is a value: {@link io.lockstep.store.typed.ReadResult}, {@link
 * io.lockstep.store.typed.WriteOutcome}. Futures complete exceptionally only where the program is
 * wrong. Continuations run on the client's loop and must not block it.
 *
 * <p>Neighbours: {@code client} carries the commands, {@code client.cache} answers stale reads.
 * Paths on which every microsecond counts use {@code StoreClient} itself.
 */
@NullMarked
package io.lockstep.store.typed;

import org.jspecify.annotations.NullMarked;
