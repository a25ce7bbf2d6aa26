package io.lockstep.store.core;

import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.engine.StateSnapshot;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The state as it was when the snapshot began. At its beginning it copies references to the changes
 * in the histories and to the recorded replies, but no entry: see {@link TableImage}. Calls come
 * from the state machine's thread.
 */
final class PointInTimeSnapshot implements StateSnapshot {
  /** Grows to the size of the requested pieces. */
  private static final int FIRST_BUFFER_BYTES = 1 << 12;

  private final ArrayDeque<SnapshotPart> parts = new ArrayDeque<>();
  private @Nullable ByteWriter buffer = new ByteWriter(FIRST_BUFFER_BYTES);
  private boolean closed;

  private PointInTimeSnapshot() {}

  static PointInTimeSnapshot begin(StoreState state) {
    PointInTimeSnapshot snapshot = new PointInTimeSnapshot();
    snapshot.parts.add(SnapshotEncoder.head(state));
    Collection<Table> tables = state.tables().all();
    snapshot.count(tables.size());
    for (Table table : tables) {
      snapshot.parts.add(new TableImage(table));
    }
    int version = SnapshotEncoder.version(state.rules());
    snapshot.sessions(state.sessions().allOpen(), version);
    snapshot.sessions(state.sessions().allEnded(), version);
    return snapshot;
  }

  private void sessions(Collection<Session> sessions, int version) {
    count(sessions.size());
    for (Session session : sessions) {
      parts.add(new SessionImage(session, version));
    }
  }

  private void count(int count) {
    parts.add(SnapshotEncoder.item(out -> SnapshotEncoder.count(out, count)));
  }

  /** Whether the snapshot still holds memory. */
  boolean isOpen() {
    return buffer != null;
  }

  /**
   * {@inheritDoc} A piece may exceed its length by one entry, change or reply.
   *
   * @throws IOException where {@code out} fails; the snapshot is then closed
   * @throws IllegalStateException where the snapshot was closed before its end
   */
  @Override
  public boolean writeSome(OutputStream out, int bytes) throws IOException {
    if (bytes < 1) {
      throw new IllegalArgumentException("a piece of " + bytes + " bytes");
    }
    if (closed) {
      throw new IllegalStateException("the snapshot is closed");
    }
    ByteWriter piece = buffer;
    if (piece == null) {
      return false;
    }
    piece.clear();
    if (!parts.isEmpty()) {
      parts.getFirst().resume();
    }
    while (!parts.isEmpty() && piece.size() < bytes) {
      if (!parts.getFirst().writeNext(piece)) {
        endPart();
      }
    }
    boolean more = !parts.isEmpty();
    try {
      piece.writeTo(out);
    } catch (IOException failed) {
      close();
      throw failed;
    }
    if (!more) {
      buffer = null;
    }
    return more;
  }

  private void endPart() {
    parts.removeFirst().release();
    if (!parts.isEmpty()) {
      parts.getFirst().resume();
    }
  }

  @Override
  public void close() {
    closed = true;
    buffer = null;
    parts.forEach(SnapshotPart::release);
    parts.clear();
  }
}
