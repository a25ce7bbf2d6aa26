package io.lockstep.bench.history.replica.disk;

import io.lockstep.store.log.disk.Storage;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A directory whose syncs take longer, by what is set at the moment. Thread-safe. */
public final class SlowStorage implements Storage {
  private final Storage storage;
  private volatile int delayMillis;

  /** Wraps a directory; its syncs take no longer until {@link #delay}. */
  public SlowStorage(Storage storage) {
    this.storage = storage;
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
  public String directory() {
    return storage.directory();
  }

  @Override
  public void lock() throws IOException {
    storage.lock();
  }

  @Override
  public List<String> list() throws IOException {
    return storage.list();
  }

  @Override
  public StoredFile create(String name) throws IOException {
    return new Slow(storage.create(name));
  }

  @Override
  public StoredFile open(String name) throws IOException {
    return new Slow(storage.open(name));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    storage.rename(from, to);
  }

  @Override
  public void delete(String name) throws IOException {
    storage.delete(name);
  }

  @Override
  public void sync() throws IOException {
    await();
    storage.sync();
  }

  @Override
  public long freeBytes() throws IOException {
    return storage.freeBytes();
  }

  @Override
  public void close() throws IOException {
    storage.close();
  }

  private final class Slow implements StoredFile {
    private final StoredFile file;

    Slow(StoredFile file) {
      this.file = file;
    }

    @Override
    public long length() throws IOException {
      return file.length();
    }

    @Override
    public int read(long position, byte[] bytes, int offset, int length) throws IOException {
      return file.read(position, bytes, offset, length);
    }

    @Override
    public void write(long position, byte[] bytes, int offset, int length) throws IOException {
      file.write(position, bytes, offset, length);
    }

    @Override
    public void truncate(long length) throws IOException {
      file.truncate(length);
    }

    @Override
    public void sync() throws IOException {
      await();
      file.sync();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
