package io.lockstep.store.log.disk;

import io.lockstep.store.measure.DurationHistogram;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One directory of files, as a disk offers it. Nothing is durable before a sync: {@link
 * StoredFile#sync} makes contents durable, and {@link #sync} the creation, renaming and removal of
 * files. Any thread.
 */
public interface Storage extends AutoCloseable {

  /** The directory, for messages. */
  String directory();

  /**
   * Keeps other processes out until {@link #close}.
   *
   * @throws RefusedException if another process uses the directory
   */
  void lock() throws IOException;

  /** The names of all files, in any order. */
  List<String> list() throws IOException;

  /** Creates an empty file for reading and writing; no file of this name may exist. */
  StoredFile create(String name) throws IOException;

  /** Opens an existing file for reading, and for writing unless the storage is read-only. */
  StoredFile open(String name) throws IOException;

  /** Renames a file atomically, and replaces a file of the new name. */
  void rename(String from, String to) throws IOException;

  /** Removes a file; open handles can still read it. */
  void delete(String name) throws IOException;

  /** Makes creations, renames and removals durable. */
  void sync() throws IOException;

  /** How often bytes or names were made durable since the storage was opened. */
  default long syncs() {
    return 0;
  }

  /** How long that took each time; null where it was not timed. */
  default DurationHistogram.@Nullable Reading syncTimes() {
    return null;
  }

  /** Free space in bytes. */
  long freeBytes() throws IOException;

  @Override
  void close() throws IOException;

  /** An open file. Any thread; stays usable when it is renamed or deleted. */
  interface StoredFile extends AutoCloseable {

    /** The length in bytes. */
    long length() throws IOException;

    /**
     * Reads bytes.
     *
     * @return how many were read: fewer than wanted only at the end of the file
     */
    int read(long position, byte[] bytes, int offset, int length) throws IOException;

    /** Writes bytes; a gap before them becomes zeros. */
    void write(long position, byte[] bytes, int offset, int length) throws IOException;

    /** Cuts the file to a length. */
    void truncate(long length) throws IOException;

    /** Makes contents and length durable. After a failure both are unknown. */
    void sync() throws IOException;

    @Override
    void close() throws IOException;
  }
}
