package io.lockstep.store.core;

import io.lockstep.store.engine.StateSnapshot;
import java.io.IOException;
import java.io.OutputStream;

/** A snapshot that was encoded whole when it began. */
final class EncodedSnapshot implements StateSnapshot {
  private final byte[] bytes;
  private int written;

  EncodedSnapshot(byte[] bytes) {
    this.bytes = bytes;
  }

  @Override
  public boolean writeSome(OutputStream out, int wanted) throws IOException {
    int length = Math.min(wanted, bytes.length - written);
    out.write(bytes, written, length);
    written += length;
    return written < bytes.length;
  }

  @Override
  public void close() {}
}
