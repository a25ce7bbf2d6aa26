package io.lockstep.history.replica.disk;

import io.lockstep.store.log.disk.Storage;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/** A directory whose syncs take longer, by what is set at the moment. Thread-safe. */
public final class SlowStorage extends ForwardingStorage {
  private volatile int delayMillis;

  /** Wraps a directory; its syncs take no longer until {@link #delay}. */
  public SlowStorage(Storage storage) {
    super(storage);
  }

  /** From now on each sync takes so much longer. */
  public void delay(int millis) {
    delayMillis = millis;
  }

  private void await() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(delayMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the disk is slow");
    }
  }

  @Override
  public StoredFile create(String name) throws IOException {
    return new Slow(super.create(name));
  }

  @Override
  public StoredFile open(String name) throws IOException {
    return new Slow(super.open(name));
  }

  @Override
  public void sync() throws IOException {
    await();
    super.sync();
  }

  private final class Slow extends ForwardingFile {
    Slow(StoredFile file) {
      super(file);
    }

    @Override
    public void sync() throws IOException {
      await();
      super.sync();
    }
  }
}
