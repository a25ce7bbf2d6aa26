package io.lockstep.store.engine;

import java.io.IOException;
import java.io.OutputStream;

/**
 * The state of an {@link OrderedService} at one moment, written piece by piece while the service
 * continues. No call runs beside another call to the service. Between two pieces the service may
 * apply batches, which this snapshot does not contain.
 */
public interface StateSnapshot extends AutoCloseable {

  /**
   * Writes the next piece of about {@code bytes} bytes. A batch waits for one piece at most.
   *
   * @return whether there is more
   */
  boolean writeSome(OutputStream out, int bytes) throws IOException;

  /** Drops the pieces that are not written yet. */
  @Override
  void close();
}
