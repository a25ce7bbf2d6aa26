package io.lockstep.store.log.disk;

import io.lockstep.store.log.disk.Storage.StoredFile;
import java.io.IOException;

/**
 * An open file that reports a failed read as an {@link UnreadableException} with the file and the
 * offset: the operating system's message names neither.
 */
record NamedFile(String name, StoredFile file) implements StoredFile {

  /** Opens an existing file. */
  static NamedFile open(Storage storage, String name) throws IOException {
    return new NamedFile(name, storage.open(name));
  }

  @Override
  public long length() throws IOException {
    return file.length();
  }

  @Override
  public int read(long position, byte[] bytes, int offset, int length) throws IOException {
    try {
      return file.read(position, bytes, offset, length);
    } catch (IOException e) {
      throw new UnreadableException(name, position, e);
    }
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
