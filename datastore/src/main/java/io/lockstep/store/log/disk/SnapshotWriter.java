package io.lockstep.store.log.disk;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.disk.Storage.StoredFile;
import java.io.IOException;

/**
 * A snapshot file that is being written under a temporary name. One thread. A failure concerns only
 * this file, which nobody counts on yet.
 */
final class SnapshotWriter {
  private final SnapshotHeader header;
  private final String name;
  private final String temporary;
  private final StoredFile file;
  private final BlockWriter blocks;
  private boolean complete;
  private boolean closed;

  /**
   * @param number different for each that is being written
   */
  SnapshotWriter(Storage storage, SnapshotHeader header, long number) throws IOException {
    this.header = header;
    this.name = FileNames.snapshot(header.generation(), header.at().instance());
    this.temporary = name + "." + number + FileNames.TEMPORARY;
    this.file = storage.create(temporary);
    byte[] bytes = header.encode();
    try {
      file.write(0, bytes, 0, bytes.length);
    } catch (IOException e) {
      file.close();
      throw e;
    }
    this.blocks = new BlockWriter(file, bytes.length);
  }

  Decision at() {
    return header.at();
  }

  SnapshotHeader header() {
    return header;
  }

  String name() {
    return name;
  }

  String temporary() {
    return temporary;
  }

  boolean closed() {
    return closed;
  }

  void write(byte[] bytes, int offset, int length) throws IOException {
    if (complete || closed) {
      throw new IllegalStateException(name + " is committed or closed");
    }
    blocks.write(bytes, offset, length);
  }

  /** Writes the footer and syncs the file. */
  void complete() throws IOException {
    if (complete || closed) {
      throw new IllegalStateException(name + " is committed or closed");
    }
    complete = true;
    blocks.finish();
    file.sync();
  }

  void close() throws IOException {
    if (!closed) {
      closed = true;
      file.close();
    }
  }
}
