package io.lockstep.store.log.disk;

import io.lockstep.store.Release;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.log.OwnStart;
import io.lockstep.store.log.Progress;
import io.lockstep.store.log.SnapshotSink;
import io.lockstep.store.log.Start;
import io.lockstep.store.log.StoredSnapshot;
import io.lockstep.store.measure.DurationHistogram;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log on disk. {@link #append} only queues a decision. One thread writes the queued decisions
 * as a group to the newest segment, syncs it, and then runs the actions that waited for the group.
 * The next group gathers during the sync.
 *
 * <p>The thread is an executor that runs a step when there is work. A simulation chooses when to
 * run it.
 *
 * <p>A failed write or sync is final: the content of the disk is then unknown, so the log retries
 * nothing. A snapshot that cannot be written is the exception: its writer gets an exception, and
 * the log goes on.
 *
 * <p>Threads: calls that change the decisions (append, {@link #truncateAfter}, committing what
 * {@link #startOver} began) come one after the other; an append during a replacement is refused.
 * Another thread may write, commit and discard snapshots at the same time. A commit is atomic with
 * respect to a truncation. The log refuses the commit of a snapshot whose decision was truncated,
 * and a truncation before a committed snapshot. It syncs big files without holding a lock, so that
 * a commit blocks the log's thread only for a rename. Any thread may make promises.
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
   * Opens a directory, recovers its content, and starts the log's own thread.
   *
   * @param storage closed with the log, also if this method throws
   * @param onFailure called once, on any thread, when the log has failed and keeps nothing any more
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
   * The same without a thread: the log hands its work to {@code executor}, which runs it later, not
   * inside of a call to this log. A call that would wait for the thread does the thread's work
   * itself.
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
      VersionFile version = VersionFile.open(storage, owner, Release.newest());
      StartsFile starts = StartsFile.open(storage, owner);
      Recovery.RecoveredDirectory found = Recovery.run(storage, owner, options, starts);
      Snapshots snapshots = new Snapshots(storage, owner, options.salts(), found);
      GroupWriter writer = new GroupWriter(storage, options, onFailure, thread, found);
      Promises promises = new Promises(writer, found.promise(), starts, version);
      version.settle();
      found.segments().format(Formats.ofSegments(version.number()));
      DiskLog diskLog =
          new DiskLog(storage, promises, found.segments(), snapshots, writer, found.setAside());
      opened = true;
      log.info(
          "{}: {}, promised regency {}",
          storage.directory(),
          describe(found.last(), found.snapshots()),
          promises.regency());
      return diskLog;
    } finally {
      if (!opened) {
        storage.close();
      }
    }
  }

  /** What a directory holds, for the line in the log that an operator reads after each start. */
  static String describe(Decision last, List<Decision> snapshots) {
    if (last.instance() == Decision.NONE.instance()) {
      return "an empty log";
    }
    String decisions = "decisions up to instance " + last.instance();
    List<Long> at = snapshots.stream().map(Decision::instance).toList();
    return at.isEmpty() ? decisions + ", no snapshot" : decisions + ", snapshots at " + at;
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
   * {@inheritDoc} The decisions that were appended before are durable, too. A refilled replica that
   * takes part before they are durable could lose decisions that it acknowledged.
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
  public void inForce(int version) throws IOException {
    promises.keepVersion(version);
    segments.format(Formats.ofSegments(Math.max(version, promises.version())));
  }

  @Override
  public Progress progress() {
    return history.progress();
  }

  @Override
  public long syncs() {
    return storage.syncs();
  }

  @Override
  public DurationHistogram.@Nullable Reading syncTimes() {
    return storage.syncTimes();
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

  /** {@inheritDoc} Never runs it if the log fails before. */
  @Override
  public void whenDurable(Runnable action) {
    writer.whenDurable(action);
  }

  /**
   * {@inheritDoc} Reads new ones from memory, others from the segments.
   *
   * @throws DamageException if one on disk is damaged
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
    // The decisions that the snapshot makes superfluous must be durable before it.
    writer.awaitDurable(written.at().instance());
    written.complete();
    writer.exclusively(
        written.name(),
        () -> {
          // After a close another process may use the directory.
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

  /** The state of the snapshot may be one after decisions that were truncated meanwhile. */
  private void checkInHistory(Decision at) throws IOException {
    byte[] ours = writer.chainAfter(at.instance());
    if (at.instance() > last().instance() || (ours != null && !Arrays.equals(ours, at.chain()))) {
      throw new IllegalStateException(
          "the decision of the snapshot at " + at.instance() + " is not in the log");
    }
  }

  /**
   * Makes the appended decisions durable, runs the actions that wait for them, and unlocks the
   * directory. If the disk hangs, it returns after {@link DiskLogOptions#closeMillis}. The log has
   * then failed, and reports the file. The directory stays locked until the disk answers, since the
   * pending write may still happen.
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
