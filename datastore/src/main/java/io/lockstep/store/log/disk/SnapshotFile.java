package io.lockstep.store.log.disk;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.StoredSnapshot;
import io.lockstep.store.log.disk.Storage.StoredFile;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A complete snapshot on disk, open for reading. Any thread. */
final class SnapshotFile implements StoredSnapshot {
  private final String name;
  private final SnapshotHeader header;
  private final StoredFile file;
  private final BlockReader blocks;

  private SnapshotFile(String name, SnapshotHeader header, StoredFile file, BlockReader blocks) {
    this.name = name;
    this.header = header;
    this.file = file;
    this.blocks = blocks;
  }

  /** Opens a snapshot; reads only header and footer. */
  static SnapshotFile open(Storage storage, String name) throws IOException {
    StoredFile file = NamedFile.open(storage, name);
    try {
      FileHeader.Content content =
          FileHeader.read(file, name, storage.directory() + "/" + name, 0, FileHeader.SNAPSHOT);
      SnapshotHeader header = FileHeader.decode(content, name, SnapshotHeader::decode);
      BlockReader blocks = new BlockReader(file, name, content.end(), file.length());
      return new SnapshotFile(name, header, file, blocks);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  String name() {
    return name;
  }

  SnapshotHeader header() {
    return header;
  }

  /** Reads and checks the whole state. */
  synchronized void verify() throws IOException {
    blocks.verify();
  }

  @Override
  public Decision at() {
    return header.at();
  }

  @Override
  public long length() {
    return blocks.length();
  }

  @Override
  public synchronized byte[] read(long offset, int bytes) throws IOException {
    return blocks.read(offset, bytes);
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException("closing " + name, e);
    }
  }
}
