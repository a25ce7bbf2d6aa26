package io.lockstep.store.log.disk;

import io.lockstep.store.log.Decision;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The snapshots of one directory: the newest two, and those that are being written. Any thread. */
final class Snapshots {
  /** The number of snapshots that are kept; the older one is used if the newer one is damaged. */
  static final int KEPT = 2;

  private static final Logger log = LoggerFactory.getLogger(Snapshots.class);

  private final Storage storage;
  private final Identity owner;
  private final LongSupplier salts;

  // Guarded by this. Newest first.
  private final List<Decision> kept;
  private final List<SnapshotWriter> writers = new ArrayList<>();
  private final List<SnapshotWriter> truncated = new ArrayList<>();
  private int generation;
  private long begun;

  Snapshots(
      Storage storage, Identity owner, LongSupplier salts, Recovery.RecoveredDirectory found) {
    this.storage = storage;
    this.owner = owner;
    this.salts = salts;
    this.generation = found.generation();
    this.kept = new ArrayList<>(found.snapshots());
  }

  /** How often the log started over. */
  synchronized int generation() {
    return generation;
  }

  /** The decision of the newest, or {@link Decision#NONE}. */
  synchronized Decision newest() {
    return kept.isEmpty() ? Decision.NONE : kept.get(0);
  }

  synchronized @Nullable SnapshotFile openNewest() throws IOException {
    return kept.isEmpty()
        ? null
        : SnapshotFile.open(storage, FileNames.snapshot(generation, kept.get(0).instance()));
  }

  /** The header of a segment that begins after a decision, in this generation. */
  synchronized Segment.Header header(Decision before) {
    return new Segment.Header(
        owner, generation, before.instance() + 1, before.chain(), Segments.salt(salts));
  }

  synchronized SnapshotWriter begin(Decision at, boolean startsOver) throws IOException {
    if (at.instance() < 0) {
      throw new IllegalArgumentException("a snapshot before the first instance");
    }
    SnapshotWriter writer =
        new SnapshotWriter(
            storage,
            new SnapshotHeader(owner, startsOver ? generation + 1 : generation, at),
            begun++);
    writers.add(writer);
    return writer;
  }

  /** Ends the writing of a snapshot, committed or not. */
  synchronized void end(SnapshotWriter writer) {
    if (writer.closed()) {
      return;
    }
    boolean committed = !writers.remove(writer);
    truncated.remove(writer);
    try {
      writer.close();
      if (!committed) {
        storage.delete(writer.temporary());
      }
    } catch (IOException e) {
      // Harmless: the next start removes it.
      log.warn("{}/{} cannot be removed", storage.directory(), writer.temporary(), e);
    }
  }

  /**
   * The decisions after an instance were truncated; snapshots of later states can no longer be
   * committed.
   */
  synchronized void truncatedAfter(long instance) {
    for (SnapshotWriter writer : writers) {
      if (writer.at().instance() > instance) {
        truncated.add(writer);
      }
    }
  }

  synchronized void checkCurrent(SnapshotWriter writer) {
    long instance = writer.at().instance();
    if (truncated.contains(writer) || writer.header().generation() != generation) {
      throw new IllegalStateException(
          "the decision of the snapshot at " + instance + " was truncated");
    }
    if (newest().instance() > instance) {
      throw new IllegalStateException(
          "a snapshot at " + instance + " after one at " + newest().instance());
    }
  }

  /**
   * Gives a complete snapshot its name, durably, and removes the oldest one.
   *
   * @return the last instance that no snapshot needs in the log
   */
  synchronized long committed(SnapshotWriter writer) throws IOException {
    storage.rename(writer.temporary(), writer.name());
    storage.sync();
    writers.remove(writer);
    if (newest().instance() != writer.at().instance()) {
      kept.add(0, writer.at());
    }
    while (kept.size() > KEPT) {
      Decision oldest = kept.remove(kept.size() - 1);
      storage.delete(FileNames.snapshot(generation, oldest.instance()));
    }
    return kept.size() < KEPT ? -1 : kept.get(kept.size() - 1).instance();
  }

  /**
   * Replaces all others by a complete snapshot of a newer generation. Once its name is durable,
   * recovery continues from it.
   */
  synchronized void startOver(SnapshotWriter writer, Segments segments) throws IOException {
    if (writer.header().generation() != generation + 1) {
      throw new IOException("the log started over meanwhile");
    }
    storage.rename(writer.temporary(), writer.name());
    storage.sync();
    writers.remove(writer);
    int before = generation;
    generation++;
    SetAside lot = SetAside.next(storage);
    for (String name : segments.replaceBy(header(writer.at()))) {
      lot.take(name, "the log started over from a peer's snapshot");
    }
    for (Decision old : kept) {
      storage.delete(FileNames.snapshot(before, old.instance()));
    }
    kept.clear();
    kept.add(writer.at());
    storage.sync();
  }
}
