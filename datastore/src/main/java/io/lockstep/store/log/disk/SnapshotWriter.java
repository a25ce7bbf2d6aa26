package io.lockstep.store.log.disk;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.disk.Storage.StoredFile;
import java.io.IOException;

/**
 * A snapshot file that is being written under a temporary name. One thread. A failure affects only
 * this file, which is not in use yet. Its message names the file and a remedy, as that of a {@link
 * LogFailure} does.
 */
final class SnapshotWriter {
  private final Storage storage;
  private final SnapshotHeader header;
  private final String name;
  private final String temporary;
  private final StoredFile file;
  private final BlockWriter blocks;
  private boolean complete;
  private boolean closed;

  /**
   * @param number unique among the snapshots that are being written
   */
  SnapshotWriter(Storage storage, SnapshotHeader header, long number) throws IOException {
    this.storage = storage;
    this.header = header;
    this.name = FileNames.snapshot(header.generation(), header.at().instance());
    this.temporary = name + "." + number + FileNames.TEMPORARY;
    byte[] bytes = header.encode();
    this.file = begun(bytes);
    this.blocks = new BlockWriter(file, bytes.length);
  }

  private StoredFile begun(byte[] bytes) throws IOException {
    try {
      StoredFile created = storage.create(temporary);
      try {
        created.write(0, bytes, 0, bytes.length);
      } catch (IOException e) {
        created.close();
        throw e;
      }
      return created;
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private IOException failed(IOException cause) {
    return new IOException(LogFailure.of(storage, temporary, "writing", cause).toString(), cause);
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
    try {
      blocks.write(bytes, offset, length);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Writes the footer and syncs the file. */
  void complete() throws IOException {
    if (complete || closed) {
      throw new IllegalStateException(name + " is committed or closed");
    }
    complete = true;
    try {
      blocks.finish();
      file.sync();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  void close() throws IOException {
    if (!closed) {
      closed = true;
      file.close();
    }
  }
}
