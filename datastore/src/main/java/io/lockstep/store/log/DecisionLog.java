package io.lockstep.store.log;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A replica's memory: a snapshot, the decisions after it, and the regency it promised. What is
 * appended becomes durable a little later, many decisions with one fsync; {@link #whenDurable}
 * tells when, so that no reply leaves before its decision would survive the loss of power.
 *
 * <p>Calls that change the decisions ({@link #append}, {@link #truncateAfter}, committing what
 * {@link #startOver} began) come from one thread at a time. Everything else may be called by any
 * thread at any time, also what concerns a {@link #newSnapshot}, each of which has one thread. A
 * failure to write is told once, with the file and the reason, to the listener that the
 * implementation was opened with; after it nothing becomes durable any more and the replica must
 * halt: it can no longer keep its word.
 */
public interface DecisionLog extends AutoCloseable {

  /** Whether this replica has taken part in its cluster before, as far as its memory goes. */
  boolean joined();

  /**
   * Notes that this replica takes part from now on. Durable on return, and so is everything that
   * was appended before.
   */
  void markJoined() throws IOException;

  /** The highest regency that this replica has promised to keep to; 0 where none. */
  int regency();

  /**
   * Promises not to take part in a lower regency any more. Durable on return; lower ones are
   * ignored.
   */
  void promise(int regency) throws IOException;

  /** The newest start of a peer that this log knows of; {@link Start#NONE} where it knows none. */
  Start start(int peer);

  /** Notes a newer start of a peer. Durable on return. */
  void keepStart(int peer, Start start) throws IOException;

  /** This replica's own starts, oldest first, at most {@link OwnStart#MOST_KEPT}. */
  List<OwnStart> ownStarts();

  /** Replaces {@link #ownStarts}. Durable on return. */
  void keepOwnStarts(List<OwnStart> starts) throws IOException;

  /** How far this log has come. */
  Progress progress();

  /** Where it is kept, for messages. */
  String place();

  /** The last decision appended, or the snapshot's; {@link Decision#NONE} in an empty log. */
  Decision last();

  /**
   * The last decision that would survive the loss of power. Behind {@link #last} while it is being
   * synced.
   */
  Decision durable();

  /**
   * Appends the next decision. Waits while too many bytes are not yet durable.
   *
   * @throws IllegalStateException if it does not follow {@link #last}
   */
  void append(Decision decision) throws IOException;

  /**
   * Damaged files that were found when this was opened, and that others made up for, by the names
   * under which they are kept for people to look at. Any thread.
   */
  default List<String> setAside() {
    return List.of();
  }

  /**
   * Whether the next {@link #append} surely need not wait; while it does, a leader proposes
   * nothing. Any thread.
   */
  default boolean keepsUp() {
    return true;
  }

  /**
   * Runs an action once all decisions appended before this call are durable: on the log's own
   * thread, in the order of the calls; at once in the caller's where nothing needs to be waited
   * for.
   */
  void whenDurable(Runnable action);

  /**
   * The decisions after an instance, about as many as fit into {@code maxBytes}, at least one where
   * there is one.
   *
   * @return null where the log no longer reaches back so far; then the reader needs a snapshot
   */
  @Nullable List<Decision> after(long instance, int maxBytes) throws IOException;

  /** The chain hash after an instance, or null where it is no longer or not yet known. */
  byte @Nullable [] chainAfter(long instance) throws IOException;

  /** The regency in which an instance was decided as far as this log knows, or null. */
  default @Nullable Integer regencyOf(long instance) throws IOException {
    if (instance == last().instance()) {
      return last().regency();
    }
    List<Decision> found = instance < 0 ? null : after(instance - 1, 1);
    return found == null || found.isEmpty() ? null : found.get(0).regency();
  }

  /**
   * Begins a snapshot of the state after the decision {@code at}; the log goes on meanwhile. Once
   * it is committed, older snapshots and the decisions that only they need are removed.
   */
  SnapshotSink newSnapshot(Decision at) throws IOException;

  /** The newest complete snapshot, or null. Stays readable until it is closed, whatever happens. */
  @Nullable StoredSnapshot latestSnapshot() throws IOException;

  /**
   * Takes back the decisions after an instance, because the cluster has decided otherwise: none of
   * them was ever acknowledged. They are set aside, not destroyed. Durable on return.
   *
   * @throws IllegalArgumentException if {@code instance} lies before the newest snapshot's, which
   *     may have been committed a moment ago; nothing has changed then
   */
  void truncateAfter(long instance) throws IOException;

  /**
   * Begins to receive a snapshot from a peer. Once it is committed it takes the place of everything
   * before it.
   */
  SnapshotSink startOver(Decision at) throws IOException;

  @Override
  void close();
}
