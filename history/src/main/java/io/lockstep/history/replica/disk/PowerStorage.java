package io.lockstep.history.replica.disk;

import io.lockstep.store.log.disk.FileStorage;
import io.lockstep.store.log.disk.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A real directory whose synced state is kept beside it, so that {@link PowerLoss} can undo the
 * rest after the process was killed. Thread-safe, as what it wraps.
 */
public final class PowerStorage extends ForwardingStorage {
  private final SyncedCopy copy;

  /** What of each file is not synced, by number; the same for all who have it open. */
  private final Map<Long, Dirty> dirty = new ConcurrentHashMap<>();

  private PowerStorage(Storage storage, SyncedCopy copy) {
    super(storage);
    this.copy = copy;
  }

  /**
   * Wraps a directory.
   *
   * @param live the directory
   * @param side where the synced state is kept; on a disk that does not fill up with it
   */
  public static PowerStorage of(Path live, Path side) throws IOException {
    Storage storage = FileStorage.open(live);
    return new PowerStorage(storage, SyncedCopy.open(live, side));
  }

  /** Takes all that is there for synced, as after the loss of power itself. */
  void allIsSynced() throws IOException {
    for (String name : list()) {
      if (copy.number(name) > 0) {
        try (StoredFile file = open(name)) {
          file.sync();
        }
      }
    }
    sync();
  }

  @Override
  public StoredFile create(String name) throws IOException {
    StoredFile file = super.create(name);
    return new Tracked(file, copy.created(name));
  }

  @Override
  public StoredFile open(String name) throws IOException {
    StoredFile file = super.open(name);
    long number = copy.number(name);
    return number == 0 ? file : new Tracked(file, number);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    super.rename(from, to);
    copy.renamed(from, to);
  }

  @Override
  public void delete(String name) throws IOException {
    super.delete(name);
    copy.deleted(name);
  }

  @Override
  public void sync() throws IOException {
    super.sync();
    copy.directorySynced();
  }

  /**
   * The part of a file that may not be synced: at first all of it, since an earlier process may
   * have written it. Guarded by itself.
   */
  private static final class Dirty {
    private long from;
    private long to = Long.MAX_VALUE;

    synchronized void add(long first, long end) {
      from = Math.min(from, first);
      to = Math.max(to, end);
    }

    /** The part, which is taken for synced from now on. */
    synchronized long[] take() {
      long[] part = {from, to};
      from = Long.MAX_VALUE;
      to = 0;
      return part;
    }
  }

  private final class Tracked extends ForwardingFile {
    private final long number;
    private final Dirty unsynced;

    Tracked(StoredFile file, long number) {
      super(file);
      this.number = number;
      this.unsynced = dirty.computeIfAbsent(number, fresh -> new Dirty());
    }

    @Override
    public void write(long position, byte[] bytes, int offset, int length) throws IOException {
      unsynced.add(Math.min(position, file.length()), position + length);
      file.write(position, bytes, offset, length);
    }

    @Override
    public void truncate(long length) throws IOException {
      unsynced.add(length, length);
      file.truncate(length);
    }

    @Override
    public void sync() throws IOException {
      long[] part = unsynced.take();
      long length = file.length();
      boolean done = false;
      try {
        file.sync();
        long end = Math.min(part[1], length);
        byte[] bytes = new byte[Math.toIntExact(Math.max(0, end - part[0]))];
        int read = bytes.length == 0 ? 0 : file.read(part[0], bytes, 0, bytes.length);
        copy.contentsSynced(number, Math.min(part[0], length), Arrays.copyOf(bytes, read), length);
        done = true;
      } finally {
        if (!done) {
          unsynced.add(part[0], part[1]);
        }
      }
    }
  }
}
