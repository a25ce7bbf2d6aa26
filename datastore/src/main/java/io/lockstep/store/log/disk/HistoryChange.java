package io.lockstep.store.log.disk;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.Progress;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Replaces decisions of a {@link DiskLog}: truncates the newest, or starts over from a peer's
 * snapshot. It also holds the progress of the log, which is undefined during a replacement.
 *
 * <p>One replacement at a time; {@link #progress} may be called by any thread.
 */
final class HistoryChange {
  private final Storage storage;
  private final Promises promises;
  private final Segments segments;
  private final Snapshots snapshots;
  private final GroupWriter writer;

  /** Held while decisions are replaced. */
  private final ReentrantLock replacing = new ReentrantLock();

  private volatile Progress lastProgress = Progress.NONE;

  HistoryChange(
      Storage storage,
      Promises promises,
      Segments segments,
      Snapshots snapshots,
      GroupWriter writer) {
    this.storage = storage;
    this.promises = promises;
    this.segments = segments;
    this.snapshots = snapshots;
    this.writer = writer;
  }

  /** The progress before a replacement that is under way or failed. */
  Progress progress() {
    if (!replacing.tryLock()) {
      return lastProgress;
    }
    try {
      // After a failed replacement the content of the log is unknown.
      if (!writer.failed()) {
        long durable = writer.durable().instance();
        lastProgress = new Progress(promises.changes(), snapshots.generation(), durable);
      }
      return lastProgress;
    } finally {
      replacing.unlock();
    }
  }

  private void replace(GroupWriter.ExclusiveWork work) throws IOException {
    replacing.lock();
    try {
      writer.replacing(work);
    } finally {
      replacing.unlock();
    }
  }

  /**
   * See {@link DiskLog#truncateAfter}.
   *
   * @throws IllegalArgumentException if {@code instance} lies before the newest snapshot's
   */
  void truncateAfter(long instance) throws IOException {
    checkNotBeforeSnapshot(instance);
    if (instance < writer.last().instance()) {
      replace(() -> cutAfter(instance));
    }
  }

  private Decision checkNotBeforeSnapshot(long instance) {
    Decision base = snapshots.newest();
    if (instance < base.instance()) {
      throw new IllegalArgumentException(
          "instance " + instance + " lies before the snapshot at " + base.instance());
    }
    return base;
  }

  private void cutAfter(long instance) throws IOException {
    writer.awaitDurable(Long.MAX_VALUE);
    writer.exclusively(
        segments.currentName(),
        () -> {
          // A snapshot may have been committed meanwhile. From here on none can be.
          Decision base = checkNotBeforeSnapshot(instance);
          Decision kept = instance == base.instance() ? base : segments.decision(instance);
          if (kept == null) {
            throw new IOException("instance " + instance + " is not in " + storage.directory());
          }
          snapshots.truncatedAfter(instance);
          try {
            TruncatedDecisions.keep(storage, segments, snapshots.header(kept));
            // After a crash from here on, recovery would do the rest.
            promises.cuttingAfter(instance);
            segments.truncateAfter(instance);
            segments.mark(instance + 1);
            segments.force();
            promises.cuttingAfter(PromiseFile.Promise.NOTHING_TO_CUT);
          } catch (IOException e) {
            throw writer.fail(segments.currentName(), "truncating", e);
          }
          writer.endsWith(kept, true);
        });
  }

  /** Replaces the content of the log by a peer's snapshot. */
  void startOver(SnapshotWriter written) throws IOException {
    replace(() -> startOverWith(written));
  }

  private void startOverWith(SnapshotWriter written) throws IOException {
    writer.awaitDurable(Long.MAX_VALUE);
    written.complete();
    writer.exclusively(
        written.name(),
        () -> {
          writer.checkOpen();
          try {
            snapshots.startOver(written, segments);
          } catch (IOException e) {
            throw writer.fail(written.name(), "starting over with", e);
          }
          writer.endsWith(written.at(), false);
        });
  }
}
