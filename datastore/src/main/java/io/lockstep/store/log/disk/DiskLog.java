package io.lockstep.store.log.disk;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.log.OwnStart;
import io.lockstep.store.log.Progress;
import io.lockstep.store.log.SnapshotSink;
import io.lockstep.store.log.Start;
import io.lockstep.store.log.StoredSnapshot;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log on disk. {@link #append} only notes a decision; one thread writes what was noted to the
 * newest segment, syncs it, and then runs the actions that waited for it. While it syncs, the next
 * group gathers.
 *
 * <p>The thread is an executor that runs a step when there is something to do; a simulation runs it
 * when it likes.
 *
 * <p>A failed write or sync is final: what the disk holds then is not known, so nothing is tried
 * again. Only a snapshot that cannot be written concerns nobody else: it throws, and the log goes
 * on.
 *
 * <p>Threads: calls that change the decisions (append, {@link #truncateAfter}, committing what
 * {@link #startOver} began) come one after the other; an append while they are replaced is refused.
 * Snapshots may be written, committed and given up at the same time by another thread: a commit
 * comes whole before or after a cut, and one whose decision is gone is refused, as a cut is that a
 * snapshot has overtaken. Big files are synced outside of any lock, so that a commit keeps the
 * log's thread only for a rename. Promises may be made by any thread.
 */
public final class DiskLog implements DecisionLog {
  private static final Logger log = LoggerFactory.getLogger(DiskLog.class);

  private final Storage storage;
  private final Promises promises;
  private final Segments segments;
  private final Snapshots snapshots;
  private final GroupWriter writer;
  private final HistoryChange history;
  private final List<String> setAside;

  private DiskLog(
      Storage storage,
      Promises promises,
      Segments segments,
      Snapshots snapshots,
      GroupWriter writer,
      List<String> setAside) {
    this.storage = storage;
    this.promises = promises;
    this.segments = segments;
    this.setAside = setAside;
    this.snapshots = snapshots;
    this.writer = writer;
    this.history = new HistoryChange(storage, promises, segments, snapshots, writer);
  }

  /**
   * Opens a directory and recovers what is in it, with a thread of its own.
   *
   * @param storage closed with the log, also where this throws
   * @param onFailure told once, on any thread, when nothing can be kept any more
   * @throws RefusedException where the directory must not be used
   */
  public static DiskLog open(
      Storage storage, Identity owner, DiskLogOptions options, Consumer<LogFailure> onFailure)
      throws IOException {
    LogThread thread = LogThread.start("log-" + owner.replicaId());
    boolean opened = false;
    try {
      DiskLog diskLog = open(storage, owner, options, onFailure, thread);
      opened = true;
      return diskLog;
    } finally {
      if (!opened) {
        thread.close(options.closeMillis());
      }
    }
  }

  /**
   * The same without a thread: {@code executor} is given the work when there is some, and runs it
   * later, not inside of a call to this log. Where a call would wait for the thread, it does the
   * thread's work itself.
   */
  public static DiskLog openStepped(
      Storage storage,
      Identity owner,
      DiskLogOptions options,
      Consumer<LogFailure> onFailure,
      Executor executor)
      throws IOException {
    return open(storage, owner, options, onFailure, LogThread.none(executor));
  }

  private static DiskLog open(
      Storage storage,
      Identity owner,
      DiskLogOptions options,
      Consumer<LogFailure> onFailure,
      LogThread thread)
      throws IOException {
    boolean opened = false;
    try {
      storage.lock();
      StartsFile starts = StartsFile.open(storage, owner);
      Recovery.Recovered found = Recovery.run(storage, owner, options, starts);
      Snapshots snapshots = new Snapshots(storage, owner, options.salts(), found);
      GroupWriter writer = new GroupWriter(storage, options, onFailure, thread, found);
      Promises promises = new Promises(writer, found.promise(), starts);
      DiskLog diskLog =
          new DiskLog(storage, promises, found.segments(), snapshots, writer, found.setAside());
      opened = true;
      log.info(
          "{}: decisions up to {}, snapshots at {}, promised regency {}",
          storage.directory(),
          found.last().instance(),
          found.snapshots().stream().map(Decision::instance).toList(),
          promises.regency());
      return diskLog;
    } finally {
      if (!opened) {
        storage.close();
      }
    }
  }

  @Override
  public boolean joined() {
    return promises.joined();
  }

  @Override
  public int regency() {
    return promises.regency();
  }

  /**
   * {@inheritDoc} So is what was appended before: a replica that was refilled and took part before
   * that was durable could lose what it answered for.
   */
  @Override
  public void markJoined() throws IOException {
    writer.awaitDurable(Long.MAX_VALUE);
    promises.keep(true, 0);
  }

  @Override
  public void promise(int newRegency) throws IOException {
    promises.keep(false, newRegency);
  }

  @Override
  public Start start(int peer) {
    return promises.start(peer);
  }

  @Override
  public void keepStart(int peer, Start start) throws IOException {
    promises.keepStart(peer, start);
  }

  @Override
  public List<OwnStart> ownStarts() {
    return promises.ownStarts();
  }

  @Override
  public void keepOwnStarts(List<OwnStart> starts) throws IOException {
    promises.keepOwnStarts(starts);
  }

  @Override
  public Progress progress() {
    return history.progress();
  }

  @Override
  public String place() {
    return storage.directory();
  }

  @Override
  public Decision last() {
    return writer.last();
  }

  @Override
  public Decision durable() {
    return writer.durable();
  }

  /**
   * {@inheritDoc}
   *
   * @throws IOException where the log has failed or is closed
   * @throws IllegalStateException also while another call replaces decisions
   */
  @Override
  public void append(Decision decision) throws IOException {
    if (decision.value().length > Records.MAX_VALUE_BYTES) {
      throw new IllegalArgumentException(
          "a decision has at most " + Records.MAX_VALUE_BYTES + " bytes");
    }
    writer.append(decision);
  }

  @Override
  public List<String> setAside() {
    return setAside;
  }

  @Override
  public boolean keepsUp() {
    return writer.keepsUp();
  }

  /** {@inheritDoc} Never runs it where the log fails before. */
  @Override
  public void whenDurable(Runnable action) {
    writer.whenDurable(action);
  }

  /**
   * {@inheritDoc} From memory where they are new, else from the segments.
   *
   * @throws DamageException where one on disk is damaged
   */
  @Override
  public @Nullable List<Decision> after(long instance, int maxBytes) throws IOException {
    return writer.after(instance, maxBytes);
  }

  @Override
  public byte @Nullable [] chainAfter(long instance) throws IOException {
    return writer.chainAfter(instance);
  }

  @Override
  public SnapshotSink newSnapshot(Decision at) throws IOException {
    writer.checkOpen();
    return new Sink(at, false);
  }

  @Override
  public SnapshotSink startOver(Decision at) throws IOException {
    writer.checkOpen();
    return new Sink(at, true);
  }

  @Override
  public @Nullable StoredSnapshot latestSnapshot() throws IOException {
    return snapshots.openNewest();
  }

  @Override
  public void truncateAfter(long instance) throws IOException {
    history.truncateAfter(instance);
  }

  private void commit(SnapshotWriter written) throws IOException {
    // Decisions that the snapshot makes superfluous are durable before it is.
    writer.awaitDurable(written.at().instance());
    written.complete();
    writer.exclusively(
        written.name(),
        () -> {
          // The directory may belong to somebody else by now.
          writer.checkOpen();
          checkInHistory(written.at());
          snapshots.checkCurrent(written);
          try {
            segments.removeUpTo(snapshots.committed(written));
          } catch (IOException e) {
            throw writer.fail(written.name(), "committing", e);
          }
        });
  }

  /** A state that is being made anew may still be that of decisions which were taken back. */
  private void checkInHistory(Decision at) throws IOException {
    byte[] ours = writer.chainAfter(at.instance());
    if (at.instance() > last().instance() || (ours != null && !Arrays.equals(ours, at.chain()))) {
      throw new IllegalStateException(
          "the decision of the snapshot at " + at.instance() + " is not in the log");
    }
  }

  /**
   * Makes durable what was appended, runs what waits for it, and gives the directory free. Where
   * the disk hangs it returns after the options' time: the log has failed then, which names the
   * file, and the directory stays locked until the disk answers, since that may yet be written.
   */
  @Override
  public void close() {
    writer.close(
        () -> {
          try (storage;
              promises;
              segments) {
            if (writer.sound()) {
              segments.mark(last().instance() + 1);
              segments.force();
            }
          }
        });
  }

  private final class Sink implements SnapshotSink {
    private final SnapshotWriter file;
    private final boolean startsOver;

    Sink(Decision at, boolean startsOver) throws IOException {
      this.startsOver = startsOver;
      this.file = snapshots.begin(at, startsOver);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      file.write(bytes, offset, length);
    }

    @Override
    public void commit() throws IOException {
      if (startsOver) {
        history.startOver(file);
      } else {
        DiskLog.this.commit(file);
      }
    }

    @Override
    public void close() {
      snapshots.end(file);
    }
  }
}
