package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.OrderedState.Begun;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.log.SnapshotSink;
import io.lockstep.store.log.StoredSnapshot;
import io.lockstep.store.measure.DurationHistogram;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes snapshots on another thread while ordering continues: after enough decisions have been
 * logged since the last one, and on request. It locks the state for one small piece at a time.
 *
 * <p>Enough means at least half the size of the last snapshot. So the disk writes at most three
 * bytes for each logged byte, however large the state is. A replica that is being refilled still
 * finds the decisions after its snapshot in the log, since both take longer for a larger state.
 *
 * <p>Thread-safe.
 */
final class SnapshotMaker {
  private static final Logger log = LoggerFactory.getLogger(SnapshotMaker.class);
  private static final int PIECE_BYTES = 64 << 10;

  private final OrderedState state;
  private final DecisionLog decisions;
  private final long everyBytes;
  private final BackgroundJobs jobs;
  private final SnapshotLogLines lines = new SnapshotLogLines(System::nanoTime);
  private final AtomicLong loggedBytes = new AtomicLong();
  private final DurationHistogram times = new DurationHistogram();
  private boolean underWay;
  private volatile long lastInstance = -1;
  private volatile long lastBytes;

  /**
   * @param everyBytes bytes logged between two snapshots, at least
   */
  SnapshotMaker(OrderedState state, DecisionLog decisions, long everyBytes, BackgroundJobs jobs) {
    this.state = state;
    this.decisions = decisions;
    this.everyBytes = everyBytes;
    this.jobs = jobs;
  }

  /** Bytes of decisions since the newest snapshot, or since the start. */
  long loggedBytes() {
    return loggedBytes.get();
  }

  /** The last instance in the newest snapshot, -1 if none. */
  long lastInstance() {
    return lastInstance;
  }

  /** How long each snapshot took that was written here. */
  DurationHistogram.Reading times() {
    return times.read();
  }

  /** The bytes of the newest snapshot, 0 if none. */
  long lastBytes() {
    return lastBytes;
  }

  /** Counts logged bytes; makes a snapshot if they are enough. */
  void logged(long bytes) {
    if (loggedBytes.addAndGet(bytes) >= Math.max(everyBytes, lastBytes / 2)) {
      ask();
    }
  }

  /** Records the newest snapshot in the log, received or found; null if there is none. */
  void found(@Nullable StoredSnapshot snapshot, long bytesAfter) {
    lastInstance = snapshot == null ? -1 : snapshot.at().instance();
    lastBytes = snapshot == null ? 0 : snapshot.length();
    loggedBytes.set(bytesAfter);
  }

  /** Makes a snapshot soon, unless one is being made. */
  void ask() {
    synchronized (this) {
      if (underWay) {
        return;
      }
      underWay = true;
    }
    if (!jobs.run("a snapshot", this::make)) {
      end();
    }
  }

  private synchronized void end() {
    underWay = false;
  }

  private void make() throws IOException {
    try {
      long before = loggedBytes.get();
      Begun begun = state.beginSnapshot();
      try {
        long instance = begun.at().instance();
        if (instance >= 0 && instance > newest() && write(begun)) {
          lastInstance = instance;
          loggedBytes.addAndGet(-before);
        }
      } finally {
        synchronized (state) {
          begun.snapshot().close();
        }
      }
    } finally {
      end();
    }
  }

  private long newest() throws IOException {
    try (StoredSnapshot stored = decisions.latestSnapshot()) {
      return stored == null ? -1 : stored.at().instance();
    }
  }

  /** Returns whether the log has the snapshot now; false if a later one has replaced it. */
  private boolean write(Begun begun) throws IOException {
    long from = System.nanoTime();
    long bytes = 0;
    try (SnapshotSink sink = decisions.newSnapshot(begun.at())) {
      boolean more = true;
      while (more) {
        ByteArrayOutputStream piece = new ByteArrayOutputStream(PIECE_BYTES + 1024);
        synchronized (state) {
          more = begun.snapshot().writeSome(piece, PIECE_BYTES);
        }
        sink.write(piece.toByteArray(), 0, piece.size());
        bytes += piece.size();
      }
      try {
        sink.commit();
      } catch (IllegalStateException overtaken) {
        logLine(lines.overtaken(begun.at().instance(), overtaken));
        return false;
      }
    }
    lastBytes = bytes;
    long nanos = System.nanoTime() - from;
    times.record(nanos);
    logLine(lines.made(begun.at().instance(), bytes, nanos / 1_000_000));
    return true;
  }

  private static void logLine(@Nullable String line) {
    if (line != null) {
      log.info("{}", line);
    }
  }
}
