package io.lockstep.store.log.disk;

import io.lockstep.store.log.OwnStart;
import io.lockstep.store.log.Start;
import java.io.IOException;
import java.util.List;

/**
 * The files of a log beside decisions and snapshots: the replica's promise, the known starts, and
 * the version of the cluster. Thread-safe.
 */
final class Promises implements AutoCloseable {
  private final GroupWriter writer;
  private final PromiseFile promise;
  private final StartsFile starts;
  private final VersionFile version;
  private volatile int regency;
  private volatile boolean joined;

  /**
   * @param writer fails when a write of these files fails
   */
  Promises(GroupWriter writer, PromiseFile promise, StartsFile starts, VersionFile version) {
    this.writer = writer;
    this.promise = promise;
    this.starts = starts;
    this.version = version;
    this.regency = promise.kept().regency();
    this.joined = promise.kept().joined();
  }

  boolean joined() {
    return joined;
  }

  int regency() {
    return regency;
  }

  /** Stores that this replica has taken part, or a higher regency; durable on return. */
  void keep(boolean joins, int atLeast) throws IOException {
    synchronized (promise) {
      writer.checkOpen();
      boolean nowJoined = joined || joins;
      int nowRegency = Math.max(regency, atLeast);
      if (nowJoined == joined && nowRegency == regency) {
        return;
      }
      try {
        promise.keep(promise.kept().with(nowJoined, nowRegency));
      } catch (IOException e) {
        throw writer.fail(FileNames.PROMISE, "writing", e);
      }
      joined = nowJoined;
      regency = nowRegency;
    }
  }

  /** Stores which decisions are truncated; see {@link PromiseFile.Promise}. */
  void cuttingAfter(long instance) throws IOException {
    synchronized (promise) {
      promise.keep(promise.kept().cuttingAfter(instance));
    }
  }

  /** How often the promise was changed. */
  long changes() {
    synchronized (promise) {
      return promise.kept().change();
    }
  }

  Start start(int peer) {
    return starts.of(peer);
  }

  /** Durable on return. */
  void keepStart(int peer, Start start) throws IOException {
    keepStarts(() -> starts.keep(peer, start));
  }

  List<OwnStart> ownStarts() {
    return starts.own();
  }

  /** Durable on return. */
  void keepOwnStarts(List<OwnStart> own) throws IOException {
    keepStarts(() -> starts.keepOwn(own));
  }

  private void keepStarts(Write write) throws IOException {
    writer.checkOpen();
    try {
      write.run();
    } catch (IOException e) {
      throw writer.fail(FileNames.STARTS, "writing", e);
    }
  }

  /** The newest version of the cluster that was in force here; 0 if none needed to be kept. */
  int version() {
    return version.number();
  }

  /** Durable on return. */
  void keepVersion(int number) throws IOException {
    writer.checkOpen();
    try {
      version.keep(number);
    } catch (IOException e) {
      throw writer.fail(FileNames.VERSION, "writing", e);
    }
  }

  private interface Write {
    void run() throws IOException;
  }

  @Override
  public void close() throws IOException {
    promise.close();
  }
}
