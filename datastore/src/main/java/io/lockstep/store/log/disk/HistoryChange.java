package io.lockstep.store.log.disk;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.Progress;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Replaces decisions of a {@link DiskLog}: takes the newest back, or starts over from a peer's
 * snapshot. Says how far the log has come, since that is not known while decisions are replaced.
 *
 * <p>One replacement at a time; {@link #progress} may be called by any thread.
 */
final class HistoryChange {
  private final Storage storage;
  private final Promises promises;
  private final Segments segments;
  private final Snapshots snapshots;
  private final GroupWriter writer;

  /** Held while decisions are replaced: what would be said of them meanwhile may not be so. */
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

  /** As of before a replacement that is under way, or that failed. */
  Progress progress() {
    if (!replacing.tryLock()) {
      return lastProgress;
    }
    try {
      // Where replacing decisions failed, what there is now is not known.
      if (!writer.failed()) {
        long durable = writer.durable().instance();
        lastProgress = new Progress(promises.changes(), snapshots.generation(), durable);
      }
      return lastProgress;
    } finally {
      replacing.unlock();
    }
  }

  private void replace(GroupWriter.Exclusive work) throws IOException {
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
          // A snapshot may have been committed meanwhile; now none can be.
          Decision base = checkNotBeforeSnapshot(instance);
          Decision kept = instance == base.instance() ? base : segments.decision(instance);
          if (kept == null) {
            throw new IOException("instance " + instance + " is not in " + storage.directory());
          }
          snapshots.takenBackAfter(instance);
          try {
            TruncatedDecisions.keep(storage, segments, snapshots.header(kept));
            // From here on recovery would do the rest.
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

  /** Puts a peer's snapshot in the place of everything. */
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
