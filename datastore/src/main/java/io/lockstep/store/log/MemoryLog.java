package io.lockstep.store.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log that forgets everything when its process ends. It keeps the newest decisions within {@link
 * Bounds}. A larger bound holds for decisions after a snapshot that is being written, or that a
 * peer is reading and after which it will ask for them. Snapshots are chunks in memory.
 *
 * <p>Everything counts as durable at once, so {@link #whenDurable} never waits. Thread-safe.
 */
public final class MemoryLog implements DecisionLog {

  /**
   * Bounds of the log.
   *
   * @param instances the most decisions, at least 1
   * @param bytes the most memory for them; one decision is kept in any case
   * @param pinnedBytes memory for decisions while one of their snapshots is written or read; no
   *     less than {@code bytes}
   */
  public record Bounds(int instances, long bytes, long pinnedBytes) {
    /** Enough for a peer that was away for some seconds. */
    public static final Bounds STANDARD = new Bounds(20_000, 32L << 20, 64L << 20);

    public Bounds {
      if (instances < 1 || bytes < 0 || pinnedBytes < bytes) {
        throw new IllegalArgumentException(
            "bounds of a log in memory: " + instances + ", " + bytes + ", " + pinnedBytes);
      }
    }
  }

  private static final Logger log = LoggerFactory.getLogger(MemoryLog.class);

  private final Bounds bounds;
  private final DecisionTail tail = new DecisionTail();
  private final List<Pin> pins = new ArrayList<>();
  private Decision last = Decision.NONE;
  private @Nullable CompleteSnapshot newest;
  private final Map<Integer, Start> starts = new HashMap<>();
  private List<OwnStart> ownStarts = List.of();
  private boolean joined;
  private int regency;
  private long changes;

  /** An empty log. */
  public MemoryLog(Bounds bounds) {
    this.bounds = bounds;
  }

  @Override
  public synchronized boolean joined() {
    return joined;
  }

  @Override
  public synchronized void markJoined() {
    joined = true;
  }

  @Override
  public synchronized int regency() {
    return regency;
  }

  @Override
  public synchronized void promise(int newRegency) {
    regency = Math.max(regency, newRegency);
    changes++;
  }

  @Override
  public synchronized Start start(int peer) {
    return starts.getOrDefault(peer, Start.NONE);
  }

  @Override
  public synchronized void keepStart(int peer, Start start) {
    starts.put(peer, start);
  }

  @Override
  public synchronized List<OwnStart> ownStarts() {
    return ownStarts;
  }

  @Override
  public synchronized void keepOwnStarts(List<OwnStart> newStarts) {
    ownStarts = List.copyOf(newStarts);
  }

  @Override
  public synchronized Progress progress() {
    return new Progress(changes, 0, last.instance());
  }

  @Override
  public String place() {
    return "memory";
  }

  @Override
  public synchronized Decision last() {
    return last;
  }

  @Override
  public Decision durable() {
    return last();
  }

  @Override
  public synchronized void append(Decision decision) {
    if (decision.instance() != last.instance() + 1) {
      throw new IllegalStateException(
          "instance " + decision.instance() + " appended after " + last.instance());
    }
    tail.add(decision);
    last = decision;
    forget();
  }

  /** Drops the oldest decisions until the log is within its bounds. */
  private void forget() {
    while (tail.size() > 1
        && (tail.size() > bounds.instances || tail.bytes() > bounds.bytes)
        && (tail.bytes() > bounds.pinnedBytes || !pinned(tail.first()))) {
      tail.removeFirst();
    }
  }

  private boolean pinned(long instance) {
    for (Pin pin : pins) {
      if (instance > pin.at().instance()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void whenDurable(Runnable action) {
    action.run();
  }

  @Override
  public synchronized @Nullable List<Decision> after(long instance, int maxBytes) {
    return instance == last.instance() ? List.of() : tail.after(instance, maxBytes);
  }

  @Override
  public synchronized byte @Nullable [] chainAfter(long instance) {
    Decision known = known(instance);
    return known == null ? null : known.chain();
  }

  private @Nullable Decision known(long instance) {
    if (instance == last.instance()) {
      return last;
    }
    if (newest != null && instance == newest.at.instance()) {
      return newest.at;
    }
    return instance == -1 ? Decision.NONE : tail.find(instance);
  }

  @Override
  public synchronized SnapshotSink newSnapshot(Decision at) {
    Sink sink = new Sink(at, false);
    pins.add(sink);
    return sink;
  }

  @Override
  public synchronized SnapshotSink startOver(Decision at) {
    return new Sink(at, true);
  }

  @Override
  public synchronized @Nullable StoredSnapshot latestSnapshot() {
    if (newest == null) {
      return null;
    }
    OpenSnapshot handle = new OpenSnapshot(newest);
    pins.add(handle);
    return handle;
  }

  @Override
  public synchronized void truncateAfter(long instance) throws IOException {
    if (newest != null && instance < newest.at.instance()) {
      throw new IllegalArgumentException(
          "instance " + instance + " lies before the snapshot at " + newest.at.instance());
    }
    if (instance >= last.instance()) {
      return;
    }
    Decision kept = known(instance);
    if (kept == null) {
      throw new IOException(
          "cannot go back to instance "
              + instance
              + ": the log in memory begins at "
              + tail.first());
    }
    log.warn("truncates the decisions {} to {}", instance + 1, last.instance());
    changes++;
    tail.removeAfter(instance);
    last = kept;
    for (Pin pin : pins) {
      pin.truncatedAfter(instance);
    }
  }

  /** The state of the snapshot may be one after decisions that were truncated meanwhile. */
  private boolean inHistory(Decision at) {
    Decision known = known(at.instance());
    return at.instance() <= last.instance()
        && (known == null || Arrays.equals(known.chain(), at.chain()));
  }

  private synchronized void commit(Sink sink, CompleteSnapshot snapshot) {
    if (sink.startsOver) {
      changes++;
      tail.clear();
      last = sink.at;
      pins.forEach(pin -> pin.truncatedAfter(-2));
    } else if (sink.truncated || !inHistory(sink.at)) {
      throw new IllegalStateException(
          "the decision of the snapshot at " + sink.at.instance() + " was truncated");
    } else if (newest != null && newest.at.instance() > sink.at.instance()) {
      throw new IllegalStateException(
          "a snapshot at " + sink.at.instance() + " after one at " + newest.at.instance());
    }
    newest = snapshot;
    unpin(sink);
  }

  private synchronized void unpin(Pin pin) {
    pins.remove(pin);
    forget();
  }

  @Override
  public void close() {}

  /** A snapshot in use, which needs the decisions after an instance. */
  private interface Pin {
    Decision at();

    /** The decisions after an instance were truncated. */
    default void truncatedAfter(long instance) {}
  }

  /** A complete snapshot. */
  private record CompleteSnapshot(Decision at, ChunkedBytes state) {}

  private final class Sink implements SnapshotSink, Pin {
    private final Decision at;
    private final boolean startsOver;
    private final ChunkedBytes.Builder written = new ChunkedBytes.Builder();
    private boolean done;
    private boolean truncated;

    Sink(Decision at, boolean startsOver) {
      this.at = at;
      this.startsOver = startsOver;
    }

    @Override
    public Decision at() {
      return at;
    }

    @Override
    public void truncatedAfter(long instance) {
      truncated |= at.instance() > instance;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      if (done) {
        throw new IllegalStateException("the snapshot is committed or closed");
      }
      written.add(bytes, offset, length);
    }

    @Override
    public void commit() {
      if (done) {
        throw new IllegalStateException("the snapshot is committed or closed");
      }
      MemoryLog.this.commit(this, new CompleteSnapshot(at, written.build()));
      done = true;
    }

    @Override
    public void close() {
      if (!done) {
        done = true;
        unpin(this);
      }
    }
  }

  private final class OpenSnapshot implements StoredSnapshot, Pin {
    private final CompleteSnapshot snapshot;

    OpenSnapshot(CompleteSnapshot snapshot) {
      this.snapshot = snapshot;
    }

    @Override
    public Decision at() {
      return snapshot.at;
    }

    @Override
    public long length() {
      return snapshot.state.length();
    }

    @Override
    public byte[] read(long offset, int bytes) {
      return snapshot.state.read(offset, bytes);
    }

    @Override
    public void close() {
      unpin(this);
    }
  }
}
