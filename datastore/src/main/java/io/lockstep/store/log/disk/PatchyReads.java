package io.lockstep.store.log.disk;

import io.lockstep.store.log.disk.Storage.StoredFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.TreeSet;

/**
 * Reads a file some pages of which cannot be read, and returns zeros in their place. Use it only to
 * search: code that took these zeros for content would lose the real one. One thread.
 */
final class PatchyReads {
  static final int PAGE_BYTES = 4096;

  /** The most unreadable pages that are tried: a disk may take seconds for each. */
  static final int MOST_UNREADABLE_PAGES = 256;

  private final StoredFile file;
  private final TreeSet<Long> unreadablePages = new TreeSet<>();

  PatchyReads(StoredFile file) {
    this.file = file;
  }

  /** Like {@link StoredFile#read}. */
  int read(long position, byte[] bytes, int offset, int length) throws IOException {
    Long bad = unreadablePages.ceiling(position / PAGE_BYTES);
    if (bad == null || bad * PAGE_BYTES >= position + length) {
      try {
        return file.read(position, bytes, offset, length);
      } catch (UnreadableException somewhere) {
        // Page by page, to find the unreadable ones.
      }
    }
    return readPages(position, bytes, offset, length);
  }

  private int readPages(long position, byte[] bytes, int offset, int length) throws IOException {
    int wanted = (int) Math.max(0, Math.min(length, file.length() - position));
    for (int done = 0; done < wanted; ) {
      long at = position + done;
      int piece = (int) Math.min(wanted - done, PAGE_BYTES - at % PAGE_BYTES);
      if (!readPage(at, bytes, offset + done, piece)) {
        Arrays.fill(bytes, offset + done, offset + done + piece, (byte) 0);
      }
      done += piece;
    }
    return wanted;
  }

  private boolean readPage(long at, byte[] bytes, int offset, int length) throws IOException {
    long number = at / PAGE_BYTES;
    if (unreadablePages.contains(number)) {
      return false;
    }
    try {
      file.read(at, bytes, offset, length);
      return true;
    } catch (UnreadableException page) {
      unreadablePages.add(number);
      if (unreadablePages.size() > MOST_UNREADABLE_PAGES) {
        throw page;
      }
      return false;
    }
  }
}
