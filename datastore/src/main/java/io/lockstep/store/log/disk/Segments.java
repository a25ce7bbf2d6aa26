package io.lockstep.store.log.disk;

import io.lockstep.store.log.Decision;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The segments of one generation, oldest first; the last one is being written. Calls that write
 * come one at a time; any thread may call the others.
 */
final class Segments implements AutoCloseable {
  /**
   * Zeros to write beyond the end of the log: writing over them syncs faster than extending the
   * file.
   */
  private static final byte[] ZEROS = new byte[256 << 10];

  private static final int KEEP_BUFFER_BYTES = 8 << 20;

  private final Storage storage;
  private final LongSupplier salts;
  private final long segmentBytes;
  private final int fillBytes;

  // Readers hold the read lock; removing and truncating hold the write lock.
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final List<Segment> list;
  private volatile int format = FileHeader.VERSION;

  // Owned by the writer.
  private ByteBuffer buffer = ByteBuffer.allocate(64 << 10);
  private long allocated;

  /**
   * @param list at least one, without gaps
   * @param fillBytes zeros are added in steps of this, 0 to 256 KiB
   */
  Segments(
      Storage storage, LongSupplier salts, List<Segment> list, long segmentBytes, int fillBytes)
      throws IOException {
    this.storage = storage;
    this.salts = salts;
    this.list = new ArrayList<>(list);
    this.segmentBytes = segmentBytes;
    this.fillBytes = Math.min(fillBytes, ZEROS.length);
    this.allocated = current().file().length();
  }

  /**
   * The format of the next segments. The present one is full with its next decision if it differs.
   */
  void format(int next) {
    format = next;
  }

  /** A salt whose tag is not zero. */
  static long salt(LongSupplier salts) {
    long salt = salts.getAsLong();
    return (int) salt == 0 ? salt | 1 : salt;
  }

  private Segment current() {
    return list.get(list.size() - 1);
  }

  /** The file that is being written, for messages. */
  String currentName() {
    lock.readLock().lock();
    try {
      return current().name();
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * Writes decisions that follow the last ones.
   *
   * @param durable all decisions before this instance are known to be durable
   */
  void write(List<Decision> group, long durable) throws IOException {
    if (current().end() >= segmentBytes || outdated(current())) {
      roll(group.get(0).instance());
    }
    Segment segment = current();
    long size = 0;
    for (Decision decision : group) {
      size += Records.bytesOf(decision);
    }
    reserve((int) size);
    long at = segment.end();
    for (Decision decision : group) {
      Records.put(buffer, decision, durable, segment.header().salt(), at + buffer.position());
    }
    flush(segment);
    long offset = at;
    for (Decision decision : group) {
      segment.added(decision.instance(), offset, offset + Records.bytesOf(decision));
      offset += Records.bytesOf(decision);
    }
  }

  /** Whether it holds something in another format than the next segments. */
  private boolean outdated(Segment segment) {
    return segment.header().format() != format && segment.next() > segment.header().first();
  }

  /**
   * Writes a mark that all decisions before {@code durable} are durable. The mark need not be
   * synced.
   */
  void mark(long durable) throws IOException {
    Segment segment = current();
    reserve(Records.MARK_BYTES);
    Records.putMark(buffer, durable, segment.header().salt(), segment.end());
    int length = buffer.position();
    flush(segment);
    segment.marked(segment.end() + length);
  }

  private void reserve(int bytes) {
    int wanted = bytes + ZEROS.length;
    if (buffer.capacity() < wanted || buffer.capacity() > KEEP_BUFFER_BYTES) {
      buffer = ByteBuffer.allocate(wanted);
    }
    buffer.clear();
  }

  private void flush(Segment segment) throws IOException {
    long at = segment.end();
    long newEnd = at + buffer.position();
    if (newEnd > allocated) {
      if (fillBytes > 0) {
        long filled = (newEnd + fillBytes - 1) / fillBytes * fillBytes;
        buffer.put(ZEROS, 0, (int) (filled - newEnd));
      }
      allocated = at + buffer.position();
    }
    segment.file().write(at, buffer.array(), 0, buffer.position());
  }

  /** Syncs everything that was written. */
  void force() throws IOException {
    current().file().sync();
  }

  /** All earlier segments are durable already. */
  private void roll(long first) throws IOException {
    Segment full = current();
    full.file().truncate(full.end());
    full.file().sync();
    Segment.Header header = full.header();
    byte[] chain = full.chainAfter(first - 1);
    if (chain == null) {
      throw new IllegalStateException("no chain hash for " + (first - 1));
    }
    begin(
        new Segment.Header(header.owner(), header.generation(), first, chain, salt(salts), format));
  }

  private void begin(Segment.Header header) throws IOException {
    Segment segment = create(storage, header);
    lock.writeLock().lock();
    try {
      list.add(segment);
    } finally {
      lock.writeLock().unlock();
    }
    allocated = segment.end();
  }

  static Segment create(Storage storage, Segment.Header header) throws IOException {
    return Segment.create(storage, FileNames.segment(header.generation(), header.first()), header);
  }

  /** The first instance in the segments, if there is one. */
  long first() {
    lock.readLock().lock();
    try {
      return list.get(0).header().first();
    } finally {
      lock.readLock().unlock();
    }
  }

  /** The decisions after an instance, or null if the next one is not in the segments. */
  @Nullable List<Decision> after(long instance, int maxBytes) throws IOException {
    lock.readLock().lock();
    try {
      int at = indexOf(instance + 1);
      if (at < 0) {
        return null;
      }
      List<Decision> found = new ArrayList<>();
      long left = maxBytes;
      for (long next = instance + 1; at < list.size() && left >= 0; at++) {
        left = list.get(at).read(next, left, found);
        next = list.get(at).next();
      }
      return found.isEmpty() ? null : found;
    } finally {
      lock.readLock().unlock();
    }
  }

  /** The decision of an instance, or null if it is not in the segments. */
  @Nullable Decision decision(long instance) throws IOException {
    lock.readLock().lock();
    try {
      int at = indexOf(instance);
      return at < 0 ? null : list.get(at).decision(instance);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** The chain hash after an instance, or null if the segments do not hold it. */
  byte @Nullable [] chainAfter(long instance) throws IOException {
    lock.readLock().lock();
    try {
      if (instance == list.get(0).header().first() - 1) {
        return list.get(0).header().chainBefore();
      }
      int at = indexOf(instance);
      return at < 0 ? null : list.get(at).chainAfter(instance);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** The index in the list of the segment with this instance, or -1. */
  private int indexOf(long instance) {
    for (int i = list.size() - 1; i >= 0; i--) {
      Segment segment = list.get(i);
      if (instance >= segment.header().first()) {
        return instance < segment.next() ? i : -1;
      }
    }
    return -1;
  }

  /** Removes the segments whose instances are all at most this one; never the last segment. */
  void removeUpTo(long instance) throws IOException {
    lock.writeLock().lock();
    try {
      while (list.size() > 1 && list.get(1).header().first() <= instance + 1) {
        Segment old = list.remove(0);
        old.close();
        storage.delete(old.name());
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Removes the decisions after an instance, the last ones first, durably. */
  void truncateAfter(long instance) throws IOException {
    lock.writeLock().lock();
    try {
      while (list.size() > 1 && current().header().first() > instance + 1) {
        Segment last = list.remove(list.size() - 1);
        last.close();
        storage.delete(last.name());
        storage.sync();
      }
      current().truncateAfter(instance);
      allocated = current().end();
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Begins a new generation; returns the segments of the old one, closed. */
  List<String> replaceBy(Segment.Header header) throws IOException {
    Segment segment = create(storage, header);
    List<String> names = new ArrayList<>();
    lock.writeLock().lock();
    try {
      for (Segment old : list) {
        old.close();
        names.add(old.name());
      }
      list.clear();
      list.add(segment);
    } finally {
      lock.writeLock().unlock();
    }
    allocated = segment.end();
    return names;
  }

  @Override
  public void close() throws IOException {
    lock.writeLock().lock();
    try {
      for (Segment segment : list) {
        segment.close();
      }
    } finally {
      lock.writeLock().unlock();
    }
  }
}
