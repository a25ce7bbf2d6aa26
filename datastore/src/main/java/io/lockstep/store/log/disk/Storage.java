package io.lockstep.store.log.disk;

import java.io.IOException;
import java.util.List;

/**
 * One directory of files, as a disk offers it. Nothing is durable before the sync that covers it:
 * contents by {@link StoredFile#sync}, and that a file exists under its name, or no longer does, by
 * {@link #sync}. Any thread.
 */
public interface Storage extends AutoCloseable {

  /** The directory, for messages. */
  String directory();

  /**
   * Keeps other processes out until {@link #close}.
   *
   * @throws RefusedException where another one has it
   */
  void lock() throws IOException;

  /** The names of all files, in any order. */
  List<String> list() throws IOException;

  /** A new empty file for reading and writing; one of this name must not exist. */
  StoredFile create(String name) throws IOException;

  /** An existing file for reading, and for writing unless the storage is read-only. */
  StoredFile open(String name) throws IOException;

  /** Gives a file another name, at one stroke; takes the place of a file that has it. */
  void rename(String from, String to) throws IOException;

  /** Removes a file; whoever has it open goes on reading it. */
  void delete(String name) throws IOException;

  /** Makes creations, renames and removals durable. */
  void sync() throws IOException;

  /** Bytes that may still be written. */
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

    /** Makes contents and length durable. After a failure nothing is known about either. */
    void sync() throws IOException;

    @Override
    void close() throws IOException;
  }
}
