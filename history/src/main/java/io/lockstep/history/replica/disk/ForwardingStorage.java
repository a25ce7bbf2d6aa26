package io.lockstep.history.replica.disk;

import io.lockstep.store.log.disk.Storage;
import java.io.IOException;
import java.util.List;

/**
 * A directory that hands everything on to another one; subclasses change what they are for.
 * Thread-safe where the other one is.
 */
abstract class ForwardingStorage implements Storage {
  private final Storage storage;

  ForwardingStorage(Storage storage) {
    this.storage = storage;
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
    return storage.create(name);
  }

  @Override
  public StoredFile open(String name) throws IOException {
    return storage.open(name);
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

  /** A file that hands everything on to another one. */
  abstract static class ForwardingFile implements StoredFile {
    final StoredFile file;

    ForwardingFile(StoredFile file) {
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
      file.sync();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
