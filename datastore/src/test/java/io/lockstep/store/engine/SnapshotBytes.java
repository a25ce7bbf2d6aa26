package io.lockstep.store.engine;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** Snapshots as arrays, for tests whose states are small. */
public final class SnapshotBytes {
  private SnapshotBytes() {}

  /** The state of a service, at once. */
  public static byte[] of(OrderedService service) {
    try (StateSnapshot snapshot = service.snapshot()) {
      return rest(snapshot, 1 << 16);
    }
  }

  /** What a snapshot has left to write, taken in pieces. */
  public static byte[] rest(StateSnapshot snapshot, int pieceBytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      boolean more = true;
      while (more) {
        more = snapshot.writeSome(out, pieceBytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** Replaces a service's state. */
  public static void restore(OrderedService service, byte[] bytes) {
    try {
      service.restore(new ByteArrayInputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A fake's snapshot that was taken whole. */
  public static StateSnapshot taken(byte[] bytes) {
    return new StateSnapshot() {
      private int written;

      @Override
      public boolean writeSome(OutputStream out, int wanted) throws IOException {
        int length = Math.min(wanted, bytes.length - written);
        out.write(bytes, written, length);
        written += length;
        return written < bytes.length;
      }

      @Override
      public void close() {}
    };
  }
}
