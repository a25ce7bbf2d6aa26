package io.lockstep.store.log.disk;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.disk.Storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One segment file: its header, its end, and an index of some of its records. Written by the log's
 * thread; read by any thread.
 */
final class Segment implements AutoCloseable {
  /** The distance of indexed records, about, in bytes. */
  private static final long INDEX_BYTES = 64 << 10;

  /**
   * The header.
   *
   * @param owner the replica
   * @param generation how often the log started over before
   * @param first its first instance
   * @param chainBefore the chain hash after the instance before
   * @param salt of its records; the lower half is not zero
   * @param format of the file, see {@link Formats}
   */
  record Header(
      Identity owner, int generation, long first, byte[] chainBefore, long salt, int format) {

    /** In the format that every release reads. */
    Header(Identity owner, int generation, long first, byte[] chainBefore, long salt) {
      this(owner, generation, first, chainBefore, salt, FileHeader.VERSION);
    }

    byte[] encode() {
      ByteBuffer body =
          ByteBuffer.allocate(FileHeader.identityBytes(owner) + 20 + Decision.CHAIN_BYTES);
      FileHeader.putIdentity(body, owner);
      body.putInt(generation).putLong(first).put(chainBefore).putLong(salt);
      return FileHeader.seal(FileHeader.SEGMENT, format, body.array());
    }

    static Header decode(int format, ByteBuffer in) {
      return new Header(
          FileHeader.getIdentity(in),
          in.getInt(),
          in.getLong(),
          FileHeader.getBytes(in, Decision.CHAIN_BYTES),
          in.getLong(),
          format);
    }
  }

  private final String name;
  private final Header header;
  private final long begin;
  private final StoredFile file;
  private volatile long end;
  private volatile long next;

  // Guarded by this.
  private long[] indexInstances = new long[16];
  private long[] indexOffsets = new long[16];
  private int indexed;

  private Segment(String name, Header header, long begin, StoredFile file) {
    this.name = name;
    this.header = header;
    this.begin = begin;
    this.file = file;
    this.end = begin;
    this.next = header.first;
  }

  /**
   * Creates an empty segment. A crash leaves either no file of this name or one with a whole
   * header.
   */
  static Segment create(Storage storage, String name, Header header) throws IOException {
    String temporary = name + FileNames.TEMPORARY;
    if (storage.list().contains(temporary)) {
      storage.delete(temporary);
    }
    StoredFile file = storage.create(temporary);
    try {
      byte[] bytes = header.encode();
      file.write(0, bytes, 0, bytes.length);
      file.sync();
      storage.rename(temporary, name);
      storage.sync();
      return new Segment(name, header, bytes.length, file);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /**
   * Creates a segment with the decisions that another one holds from its header's first instance
   * on. A crash leaves either no file of this name or one with all of them.
   */
  static Segment copy(Storage storage, String name, Header header, Segment from)
      throws IOException {
    String temporary = name + FileNames.TEMPORARY;
    if (storage.list().contains(temporary)) {
      storage.delete(temporary);
    }
    StoredFile file = storage.create(temporary);
    try {
      byte[] bytes = header.encode();
      file.write(0, bytes, 0, bytes.length);
      Segment copy = new Segment(name, header, bytes.length, file);
      for (long next = header.first; next < from.next(); next++) {
        Decision decision = from.decision(next);
        ByteBuffer record = ByteBuffer.allocate(Records.bytesOf(decision));
        Records.put(record, decision, next, header.salt, copy.end);
        file.write(copy.end, record.array(), 0, record.position());
        copy.added(next, copy.end, copy.end + record.position());
      }
      file.sync();
      storage.rename(temporary, name);
      storage.sync();
      return copy;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** Opens an existing segment, and reads its header, not its records. */
  static Segment open(Storage storage, String name) throws IOException {
    StoredFile file = NamedFile.open(storage, name);
    try {
      FileHeader.Content content =
          FileHeader.read(file, name, storage.directory() + "/" + name, 0, FileHeader.SEGMENT);
      Header header =
          FileHeader.decode(content, name, body -> Header.decode(content.version(), body));
      return new Segment(name, header, content.end(), file);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /**
   * Opens a segment whose header is damaged, and takes its fields from its name and from the owner
   * of the directory. It reads the salt unchecked: a record that is valid with this salt proves it
   * right, and with a damaged salt no record is valid. The chain hash before the segment remains
   * unknown.
   */
  static Segment openWithoutHeader(Storage storage, FileNames.NumberedFile numbered, Identity owner)
      throws IOException {
    StoredFile file = NamedFile.open(storage, numbered.name());
    try {
      byte[] unknown = new byte[Decision.CHAIN_BYTES];
      byte[] front = new byte[Long.BYTES + Integer.BYTES];
      int read = file.read(0, front, 0, front.length);
      int format = ByteBuffer.wrap(front).getInt(Long.BYTES);
      if (read < front.length || format < 1 || format > Formats.newest(FileHeader.SEGMENT)) {
        format = FileHeader.VERSION;
      }
      int length =
          new Header(owner, numbered.generation(), numbered.instance(), unknown, 0, format)
              .encode()
              .length;
      byte[] damaged = new byte[length];
      if (file.read(0, damaged, 0, length) < length) {
        throw new DamageException(numbered.name(), 0, "too short for a header");
      }
      long salt = ByteBuffer.wrap(damaged).getLong(length - Integer.BYTES - Long.BYTES);
      Header header =
          new Header(owner, numbered.generation(), numbered.instance(), unknown, salt, format);
      return new Segment(numbered.name(), header, length, file);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  String name() {
    return name;
  }

  Header header() {
    return header;
  }

  StoredFile file() {
    return file;
  }

  /** The offset at which its records end. */
  long end() {
    return end;
  }

  /** The instance after its last one, or its first one if it is empty. */
  long next() {
    return next;
  }

  /** A reader of the whole file, also beyond the known end. */
  RecordReader readerOfAll() throws IOException {
    return readerFrom(begin);
  }

  /** The same from the end of a record on. */
  RecordReader readerFrom(long offset) throws IOException {
    return new RecordReader(file::read, header.salt, offset, file.length());
  }

  /** The same as {@link #readerOfAll}, but skips unreadable pages; only to search a record. */
  RecordReader searchOfAll(PatchyReads patchy) throws IOException {
    return new RecordReader(patchy::read, header.salt, begin, file.length());
  }

  /** A reader from the record of an instance on, or from one shortly before. */
  private RecordReader reader(long instance) {
    long from = begin;
    synchronized (this) {
      int at = Arrays.binarySearch(indexInstances, 0, indexed, instance);
      int below = at >= 0 ? at : -at - 2;
      if (below >= 0) {
        from = indexOffsets[below];
      }
    }
    return new RecordReader(file::read, header.salt, from, end);
  }

  /** Notes a decision that was written or read from {@code offset} to {@code newEnd}. */
  synchronized void added(long instance, long offset, long newEnd) {
    if (indexed == 0 || offset - indexOffsets[indexed - 1] >= INDEX_BYTES) {
      if (indexed == indexInstances.length) {
        indexInstances = Arrays.copyOf(indexInstances, 2 * indexed);
        indexOffsets = Arrays.copyOf(indexOffsets, 2 * indexed);
      }
      indexInstances[indexed] = instance;
      indexOffsets[indexed++] = offset;
    }
    // In this order: a reader that sees the instance also sees its end.
    end = newEnd;
    next = instance + 1;
  }

  /** Notes a mark. */
  void marked(long newEnd) {
    end = newEnd;
  }

  /**
   * Adds the decisions from {@code instance} on to {@code found}, until there are more than {@code
   * maxBytes}.
   *
   * @return how many bytes may still be added; negative if none
   * @throws DamageException if one cannot be read
   */
  long read(long instance, long maxBytes, List<Decision> found) throws IOException {
    long until = next;
    RecordReader reader = reader(instance);
    long left = maxBytes;
    long expected = instance;
    while (expected < until) {
      Decision decision = nextDecision(reader, expected);
      if (decision.instance() < instance) {
        continue;
      }
      left -= decision.value().length + Decision.CHAIN_BYTES;
      if (left < 0 && !found.isEmpty()) {
        return left;
      }
      found.add(decision);
      expected = decision.instance() + 1;
    }
    return left;
  }

  private Decision nextDecision(RecordReader reader, long expected) throws IOException {
    while (true) {
      RecordReader.ValidRecord record = reader.next();
      if (record == null) {
        throw new DamageException(
            name, reader.position(), "instance " + expected + " cannot be read");
      }
      if (record.decision() != null) {
        return record.decision();
      }
    }
  }

  /** The decision of an instance, which is in this segment. */
  Decision decision(long instance) throws IOException {
    RecordReader reader = reader(instance);
    while (true) {
      Decision decision = nextDecision(reader, instance);
      if (decision.instance() == instance) {
        return decision;
      }
    }
  }

  /** Cuts off everything after an instance, durably. */
  void truncateAfter(long instance) throws IOException {
    long newEnd = begin;
    if (instance >= header.first) {
      RecordReader reader = reader(instance);
      Decision decision;
      do {
        decision = nextDecision(reader, instance);
      } while (decision.instance() < instance);
      newEnd = reader.position();
    }
    file.truncate(newEnd);
    file.sync();
    synchronized (this) {
      end = newEnd;
      next = Math.max(header.first, instance + 1);
      while (indexed > 0 && indexInstances[indexed - 1] > instance) {
        indexed--;
      }
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** The chain hash after an instance: the one before its first, or one of its own. */
  byte @Nullable [] chainAfter(long instance) throws IOException {
    return instance == header.first - 1 ? header.chainBefore : decision(instance).chain();
  }
}
