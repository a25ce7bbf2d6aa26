package io.lockstep.store.log;

import io.lockstep.store.measure.DurationHistogram;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The log of a replica: a snapshot, the decisions after it, and the regency that the replica
 * promised. Appended decisions become durable a little later, many of them with one fsync. {@link
 * #whenDurable} runs an action after that, so that the replica sends no reply before its decision
 * would survive a loss of power.
 *
 * <p>Calls that change the decisions ({@link #append}, {@link #truncateAfter}, committing what
 * {@link #startOver} began) come from one thread at a time. Any thread may call the other methods
 * at any time. Each {@link #newSnapshot} is written by one thread. When a write fails, the log
 * reports the file and the reason once, to the listener that it was opened with. After that nothing
 * becomes durable any more, and the replica must halt, since it can no longer keep its promises.
 */
public interface DecisionLog extends AutoCloseable {

  /** Whether this replica has taken part in its cluster before, according to this log. */
  boolean joined();

  /**
   * Notes that this replica takes part from now on. This note and all earlier appended decisions
   * are durable on return.
   */
  void markJoined() throws IOException;

  /** The highest regency that this replica has promised; 0 if none. */
  int regency();

  /**
   * Promises not to take part in a lower regency any more. Durable on return; a lower one than
   * before is ignored.
   */
  void promise(int regency) throws IOException;

  /** The newest known start of a peer; {@link Start#NONE} if none is known. */
  Start start(int peer);

  /** Notes a newer start of a peer. Durable on return. */
  void keepStart(int peer, Start start) throws IOException;

  /** This replica's own starts, oldest first, at most {@link OwnStart#MOST_KEPT}. */
  List<OwnStart> ownStarts();

  /** Replaces {@link #ownStarts}. Durable on return. */
  void keepOwnStarts(List<OwnStart> starts) throws IOException;

  /**
   * Notes that the cluster is at a version from now on ({@link io.lockstep.store.Release}): new
   * files take its formats, and a release that does not know it refuses this log. Durable on
   * return; a lower one than before is ignored.
   */
  default void inForce(int version) throws IOException {}

  /** How far this log has come. */
  Progress progress();

  /** The place of this log, for messages. */
  String place();

  /** The last decision appended, or the snapshot's; {@link Decision#NONE} in an empty log. */
  Decision last();

  /**
   * The last decision that would survive a loss of power. It lags {@link #last} while later
   * decisions are synced.
   */
  Decision durable();

  /**
   * Appends the next decision. Waits while too many bytes are not yet durable.
   *
   * @throws IllegalStateException if it does not follow {@link #last}
   */
  void append(Decision decision) throws IOException;

  /**
   * The damaged files that were found when the log was opened, and whose content other files hold.
   * The names are those under which the log keeps them for inspection. Any thread.
   */
  default List<String> setAside() {
    return List.of();
  }

  /** How often this log made bytes durable since it was opened; 0 in memory. Any thread. */
  default long syncs() {
    return 0;
  }

  /** How long that took each time; null in memory. Any thread. */
  default DurationHistogram.@Nullable Reading syncTimes() {
    return null;
  }

  /**
   * Whether the next {@link #append} will return without waiting. While this is false, a leader
   * proposes nothing. Any thread.
   */
  default boolean keepsUp() {
    return true;
  }

  /**
   * Runs an action once all decisions appended before this call are durable: on the log's own
   * thread, in the order of the calls. If they are durable already, the action runs at once on the
   * caller's thread.
   */
  void whenDurable(Runnable action);

  /**
   * The decisions after an instance, about as many as fit into {@code maxBytes}, at least one where
   * there is one.
   *
   * @return null where the log no longer reaches back so far; then the reader needs a snapshot
   */
  @Nullable List<Decision> after(long instance, int maxBytes) throws IOException;

  /** The chain hash after an instance, or null if it is not known yet or no longer. */
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
   * Begins a snapshot of the state after the decision {@code at}; appends go on meanwhile. Its
   * commit removes older snapshots and the decisions that only they need.
   */
  SnapshotSink newSnapshot(Decision at) throws IOException;

  /** The newest complete snapshot, or null. Stays readable until it is closed, whatever happens. */
  @Nullable StoredSnapshot latestSnapshot() throws IOException;

  /**
   * Truncates the log after an instance, because the cluster has decided otherwise: none of the
   * later decisions was ever acknowledged. The log sets them aside and does not destroy them.
   * Durable on return.
   *
   * @throws IllegalArgumentException if {@code instance} lies before the newest snapshot's, which
   *     may have been committed a moment ago; nothing has changed then
   */
  void truncateAfter(long instance) throws IOException;

  /** Begins to receive a snapshot from a peer. Its commit replaces everything in this log. */
  SnapshotSink startOver(Decision at) throws IOException;

  @Override
  void close();
}
