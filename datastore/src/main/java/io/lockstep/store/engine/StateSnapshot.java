package io.lockstep.store.engine;

import java.io.IOException;
import java.io.OutputStream;

/**
 * The state of an {@link OrderedService} as it was at one moment, written piece by piece while the
 * service goes on. Every call comes when no other call to the service runs; between two pieces the
 * service may apply batches, which this snapshot does not contain.
 */
public interface StateSnapshot extends AutoCloseable {

  /**
   * Writes the next piece, of about {@code bytes} bytes, so that a batch waits only for one piece.
   *
   * @return whether there is more
   */
  boolean writeSome(OutputStream out, int bytes) throws IOException;

  /** Gives up what is not written yet. */
  @Override
  void close();
}
