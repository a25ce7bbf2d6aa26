package io.lockstep.store.log.disk;

import io.lockstep.store.log.Decision;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes decisions in groups: those that were appended during the last sync are the next group.
 * After the sync of a group it runs the actions that waited for it. Any thread; see {@link
 * DiskLog}.
 */
final class GroupWriter {
  private static final Logger log = LoggerFactory.getLogger(GroupWriter.class);

  private record WaitingAction(long instance, Runnable action) {}

  /** A condition to wait for; evaluated under the monitor. */
  private interface Condition {
    boolean holds();
  }

  private final Storage storage;
  private final DiskLogOptions options;
  private final Consumer<LogFailure> onFailure;
  private final LogThread thread;
  private final Segments segments;

  /**
   * Held while segments are written. Acquired before the monitor of this object, never inside it.
   */
  private final Object writing = new Object();

  /** The file that is being written, or was last; named when its write does not return. */
  private volatile String currentFile;

  // Guarded by the monitor of this object.
  private final NewestDecisions newest;
  private final ArrayDeque<WaitingAction> actions = new ArrayDeque<>();
  private boolean stepComes;
  private boolean acting;
  private boolean replaces;
  private boolean closed;
  private @Nullable LogFailure failure;

  GroupWriter(
      Storage storage,
      DiskLogOptions options,
      Consumer<LogFailure> onFailure,
      LogThread thread,
      Recovery.RecoveredDirectory found) {
    this.storage = storage;
    this.options = options;
    this.onFailure = onFailure;
    this.thread = thread;
    this.segments = found.segments();
    this.newest = new NewestDecisions(options, found.tail(), found.last());
    this.currentFile = segments.currentName();
  }

  /** Throws if the log has failed or is closed. */
  synchronized void checkOpen() throws IOException {
    if (failure != null) {
      throw new IOException("the log has failed before: " + failure);
    }
    if (closed) {
      throw new IOException("the log in " + storage.directory() + " is closed");
    }
  }

  /** Ends all writing. Actions that wait for durability never run. */
  IOException fail(String file, String operation, Exception cause) {
    LogFailure now = LogFailure.of(storage, file, operation, cause);
    boolean first;
    synchronized (this) {
      first = failure == null;
      if (first) {
        failure = now;
      }
      actions.clear();
      notifyAll();
    }
    if (first) {
      log.error("{}", now, cause);
      onFailure.accept(now);
    }
    return new IOException(now.toString(), cause);
  }

  synchronized Decision last() {
    return newest.last();
  }

  synchronized Decision durable() {
    return newest.durable();
  }

  void append(Decision decision) throws IOException {
    synchronized (this) {
      checkOpen();
      if (replaces) {
        throw new IllegalStateException(
            "instance " + decision.instance() + " appended while decisions are replaced");
      }
      newest.add(decision);
      wake();
    }
    await(newest::roomLeft);
    checkOpen();
  }

  /** Whether the queue of decisions is at most half full. */
  synchronized boolean keepsUp() {
    return newest.keepsUp();
  }

  void whenDurable(Runnable action) {
    synchronized (this) {
      if (failure != null) {
        return;
      }
      if (!newest.allDurable() || acting || !actions.isEmpty()) {
        actions.add(new WaitingAction(newest.last().instance(), action));
        wake();
        return;
      }
    }
    action.run();
  }

  /** Waits until the appended decisions up to an instance are durable. */
  void awaitDurable(long instance) throws IOException {
    await(() -> newest.durable().instance() >= Math.min(instance, newest.last().instance()));
    checkOpen();
  }

  /** Waits for the thread, or does its work. Returns early if the log has failed. */
  private void await(Condition condition) {
    if (!thread.exists()) {
      while (waits(condition)) {
        step();
      }
      return;
    }
    boolean interrupted = false;
    synchronized (this) {
      while (waits(condition)) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean waits(Condition condition) {
    return failure == null && !condition.holds();
  }

  /** Under the monitor. */
  private void wake() {
    if (!stepComes && failure == null && !closed) { // close writes the rest
      stepComes = true;
      thread.execute(this::step);
    }
  }

  /** Writes one group. On the log's thread. */
  private void step() {
    boolean wrote;
    synchronized (writing) {
      List<Decision> group = nextGroup();
      wrote = !group.isEmpty();
      if (wrote && !write(group)) {
        return;
      }
    }
    act();
    synchronized (this) {
      if (!newest.allDurable()) {
        wake();
        return;
      }
    }
    if (wrote) {
      mark();
    }
  }

  private synchronized List<Decision> nextGroup() {
    stepComes = false;
    return failure != null || newest.allDurable() ? List.of() : newest.nextGroup();
  }

  /** With {@link #writing}. */
  private boolean write(List<Decision> group) {
    try {
      currentFile = segments.currentName();
      segments.write(group, group.get(0).instance());
      currentFile = segments.currentName(); // the segment may be a new one
      segments.force();
    } catch (IOException e) {
      fail(segments.currentName(), "writing", e);
      return false;
    }
    synchronized (this) {
      newest.synced(group);
      notifyAll();
    }
    return true;
  }

  private void act() {
    while (true) {
      Runnable action;
      synchronized (this) {
        WaitingAction next = actions.peek();
        if (next == null || next.instance > newest.durable().instance() || failure != null) {
          acting = false;
          return;
        }
        acting = true;
        action = actions.remove().action;
      }
      try {
        action.run();
      } catch (RuntimeException e) {
        fail(segments.currentName(), "an action after writing", e);
      }
    }
  }

  /**
   * The disk is idle: writes a mark that tells recovery that all decisions were durable, so that it
   * never mistakes damage to them for a torn end. The mark is not synced, since it matters only for
   * later damage.
   */
  private void mark() {
    synchronized (writing) {
      long upTo;
      synchronized (this) {
        if (failure != null || closed || !newest.allDurable()) {
          return;
        }
        currentFile = segments.currentName();
        upTo = newest.durable().instance() + 1;
      }
      try {
        segments.mark(upTo);
      } catch (IOException e) {
        fail(segments.currentName(), "writing", e);
      }
    }
  }

  /** The decisions after an instance, or null if the next one is neither in memory nor on disk. */
  @Nullable List<Decision> after(long instance, int maxBytes) throws IOException {
    synchronized (this) {
      List<Decision> found = newest.after(instance, maxBytes);
      if (found != null) {
        return found;
      }
    }
    return segments.after(instance, maxBytes);
  }

  /** The chain hash after an instance, or null if it is not known. */
  byte @Nullable [] chainAfter(long instance) throws IOException {
    synchronized (this) {
      Decision known = newest.find(instance);
      if (known != null) {
        return known.chain();
      }
    }
    return segments.chainAfter(instance);
  }

  /** Work during which no group may be written. */
  interface ExclusiveWork {
    void run() throws IOException;
  }

  /**
   * Does work while no group is written.
   *
   * @param file that the work concerns, for failures
   */
  void exclusively(String file, ExclusiveWork work) throws IOException {
    synchronized (writing) {
      currentFile = file;
      work.run();
    }
  }

  /** Refuses appends during this work. */
  void replacing(ExclusiveWork work) throws IOException {
    synchronized (this) {
      if (replaces) {
        throw new IllegalStateException("decisions are being replaced already");
      }
      replaces = true;
    }
    try {
      work.run();
    } finally {
      synchronized (this) {
        replaces = false;
      }
    }
  }

  /** See {@link NewestDecisions#endsWith}. */
  synchronized void endsWith(Decision newLast, boolean sameHistory) {
    newest.endsWith(newLast, sameHistory);
  }

  /**
   * Makes everything durable, runs the actions that wait for it, then {@code end}, and ends the
   * thread. Later calls do nothing. If there is a thread, it does all this, and the caller waits no
   * longer than the options say. After that time the log has failed, and the thread does the rest
   * when the disk answers again.
   */
  void close(ExclusiveWork end) {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    if (!thread.exists()) {
      finish(end);
      return;
    }
    thread.execute(() -> finish(end));
    if (!thread.close(options.closeMillis())) {
      String reason = "the disk has not answered for " + options.closeMillis() + " ms";
      IOException told = fail(currentFile, "closing", new IOException(reason));
      log.debug("reported", told);
    }
  }

  private void finish(ExclusiveWork end) {
    while (waits(newest::allDurable)) {
      step(); // each step runs the actions that waited for its group
    }
    try {
      exclusively(segments.currentName(), end);
    } catch (IOException e) {
      IOException told = fail(segments.currentName(), "closing", e);
      log.debug("reported", told);
    }
  }

  /** Whether nothing becomes durable any more. */
  synchronized boolean failed() {
    return failure != null;
  }

  /** Whether everything appended is durable. */
  synchronized boolean sound() {
    return failure == null && newest.allDurable();
  }
}
