package io.lockstep.store.log.disk;

import java.io.IOException;

/**
 * Reports that the disk does not return bytes of an open file. It may return them the next time.
 */
final class UnreadableException extends DefectException {
  private static final long serialVersionUID = 1L;

  UnreadableException(String file, long offset, IOException cause) {
    super(new Damage(file, offset, "it cannot be read: " + cause.getMessage()));
    initCause(cause);
  }
}
