package io.lockstep.store.log;

import java.io.IOException;

/** A complete snapshot. Any thread. */
public interface StoredSnapshot extends AutoCloseable {

  /** The last decision that the state includes. */
  Decision at();

  /** Length of the state in bytes. */
  long length();

  /**
   * Reads bytes of the state, fewer than wanted only at its end.
   *
   * @param offset 0 to {@link #length}
   */
  byte[] read(long offset, int bytes) throws IOException;

  @Override
  void close();
}
