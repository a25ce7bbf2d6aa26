package io.lockstep.store.log.disk;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A disk that does what disks may do: loses what was not synced, in part, page by page and in any
 * order, fails, fills up. Each process opens it anew; a crash cuts off those before.
 */
public final class SimulatedDisk {

  /** Asked before each operation that changes something. */
  public interface Faults {
    /** Lets an operation fail by throwing. */
    void before(String operation, String file) throws IOException;
  }

  /** Bytes of a file that the disk does not give. */
  private record Unreadable(String file, long from, long to) {}

  private interface Change {
    void apply(Map<String, SimulatedFile> directory);
  }

  private TreeMap<String, SimulatedFile> seen = new TreeMap<>();
  private TreeMap<String, SimulatedFile> safe = new TreeMap<>();
  private final List<Change> unsynced = new ArrayList<>();
  private final Random random;
  private int life;
  private int lockedBy = -1;
  private long freeBytes = 1L << 30;
  private boolean lying;
  private Faults faults = (operation, file) -> {};
  private final List<Unreadable> unreadable = new ArrayList<>();

  public SimulatedDisk(Random random) {
    this.random = random;
  }

  /** What a process that starts now sees. */
  public Storage open() {
    return new Life(life);
  }

  /**
   * The machine loses power: whoever uses the disk is cut off, and what was not synced, in part.
   */
  public void crash() {
    kill();
    boolean inOrder = random.nextBoolean();
    int prefix = random.nextInt(unsynced.size() + 1);
    for (int i = 0; i < unsynced.size(); i++) {
      if (inOrder ? i < prefix : random.nextBoolean()) {
        unsynced.get(i).apply(safe);
      }
    }
    unsynced.clear();
    safe.values().stream().distinct().forEach(file -> file.crash(random));
    seen = new TreeMap<>(safe);
  }

  /** The process is killed: it is cut off, but what it wrote is there. */
  public void kill() {
    life++;
    lockedBy = -1;
    faults = (operation, file) -> {};
  }

  /** A disk that is new. */
  public void wipe() {
    kill();
    seen.clear();
    safe.clear();
    unsynced.clear();
  }

  public void setFaults(Faults newFaults) {
    faults = newFaults;
  }

  /** Every read of these bytes fails until {@link #readAll}, or until another file has the name. */
  public void failReads(String file, long from, long to) {
    unreadable.add(new Unreadable(file, from, to));
  }

  /** From now on every read succeeds. */
  public void readAll() {
    unreadable.clear();
  }

  public void setFreeBytes(long bytes) {
    freeBytes = bytes;
  }

  public List<String> files() {
    return List.copyOf(seen.keySet());
  }

  public byte[] bytes(String file) {
    return existing(file).bytes();
  }

  public void replace(String file, byte[] bytes) {
    existing(file).replace(bytes);
  }

  public void remove(String file) {
    seen.remove(file);
    safe.remove(file);
  }

  /** From now on it says that contents are synced and does nothing. */
  public void lie() {
    lying = true;
  }

  /** Makes torn records look whole, as if recovery did not look at their checksums. */
  public void acceptTornEnds() {
    TornEnds.accept(open());
  }

  /** The same files, all synced, on a disk of their own. */
  public SimulatedDisk copy() {
    SimulatedDisk copy = new SimulatedDisk(random);
    seen.forEach((name, file) -> copy.seen.put(name, file.copy()));
    copy.safe = new TreeMap<>(copy.seen);
    return copy;
  }

  private SimulatedFile existing(String file) {
    SimulatedFile found = seen.get(file);
    if (found == null) {
      throw new IllegalArgumentException("no file " + file);
    }
    return found;
  }

  private final class Life implements Storage {
    private final int mine;

    Life(int mine) {
      this.mine = mine;
    }

    private void check(String operation, String file) throws IOException {
      alive();
      faults.before(operation, file);
    }

    private void alive() throws IOException {
      if (mine != life) {
        throw new IOException("this process is dead");
      }
    }

    private void change(Change change) {
      change.apply(seen);
      unsynced.add(change);
    }

    private SimulatedFile find(String name) throws IOException {
      SimulatedFile file = seen.get(name);
      if (file == null) {
        throw new NoSuchFileException(name);
      }
      return file;
    }

    @Override
    public String directory() {
      return "simulated";
    }

    @Override
    public void lock() throws IOException {
      alive();
      if (lockedBy >= 0) {
        throw new RefusedException(RefusedException.Reason.LOCKED, "locked");
      }
      lockedBy = mine;
    }

    @Override
    public List<String> list() throws IOException {
      alive();
      return files();
    }

    @Override
    public StoredFile create(String name) throws IOException {
      check("create", name);
      if (seen.containsKey(name)) {
        throw new FileAlreadyExistsException(name);
      }
      SimulatedFile file = new SimulatedFile();
      change(directory -> directory.put(name, file));
      return new Open(name, file);
    }

    @Override
    public StoredFile open(String name) throws IOException {
      alive();
      return new Open(name, find(name));
    }

    @Override
    public void rename(String from, String to) throws IOException {
      check("rename", from);
      SimulatedFile file = find(from);
      change(
          directory -> {
            directory.remove(from, file);
            directory.put(to, file);
          });
      unreadable.removeIf(bad -> bad.file.equals(to)); // that is another file now
    }

    @Override
    public void delete(String name) throws IOException {
      check("delete", name);
      SimulatedFile file = find(name);
      change(directory -> directory.remove(name, file));
    }

    @Override
    public void sync() throws IOException {
      check("sync", "the directory");
      unsynced.forEach(change -> change.apply(safe));
      unsynced.clear();
    }

    @Override
    public long freeBytes() throws IOException {
      alive();
      return freeBytes;
    }

    @Override
    public void close() {
      if (lockedBy == mine) {
        lockedBy = -1;
      }
    }

    private final class Open implements StoredFile {
      private final String name;
      private final SimulatedFile file;

      Open(String name, SimulatedFile file) {
        this.name = name;
        this.file = file;
      }

      @Override
      public long length() throws IOException {
        alive();
        return file.length();
      }

      @Override
      public int read(long position, byte[] bytes, int offset, int length) throws IOException {
        alive();
        for (Unreadable bad : unreadable) {
          if (bad.file.equals(name) && position < bad.to && position + length > bad.from) {
            throw new IOException("Input/output error");
          }
        }
        return file.read(position, bytes, offset, length);
      }

      @Override
      public void write(long position, byte[] bytes, int offset, int length) throws IOException {
        check("write", name);
        long more = Math.max(0, position + length - file.length());
        if (more > freeBytes) {
          file.write(position, bytes, offset, (int) Math.min(length, freeBytes));
          freeBytes = 0;
          throw new IOException("No space left on device");
        }
        freeBytes -= more;
        file.write(position, bytes, offset, length);
      }

      @Override
      public void truncate(long length) throws IOException {
        check("truncate", name);
        file.truncate(length);
      }

      @Override
      public void sync() throws IOException {
        check("sync", name);
        if (!lying) {
          file.sync();
        }
      }

      @Override
      public void close() {}
    }
  }
}
