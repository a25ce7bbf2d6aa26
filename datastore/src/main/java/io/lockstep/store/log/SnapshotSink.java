package io.lockstep.store.log;

import java.io.IOException;

/** A snapshot that is being written. Used by one thread at a time. */
public interface SnapshotSink extends AutoCloseable {

  /** Appends bytes of the state. */
  void write(byte[] bytes, int offset, int length) throws IOException;

  /** Completes the snapshot; it is durable and the newest one on return. */
  void commit() throws IOException;

  /** Discards the snapshot unless it was committed. */
  @Override
  void close();
}
