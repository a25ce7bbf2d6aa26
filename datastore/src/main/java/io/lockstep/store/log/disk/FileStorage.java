package io.lockstep.store.log.disk;

import io.lockstep.store.measure.DurationHistogram;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory of a real file system. Contents go through {@link RandomAccessFile}, because a {@link
 * FileChannel} closes itself when the thread that uses it is interrupted, and a log must not end
 * because somebody interrupted a reader.
 */
public final class FileStorage implements Storage {
  private static final Logger log = LoggerFactory.getLogger(FileStorage.class);

  private final Path directory;
  private final boolean readOnly;
  private final SlowSyncs slowSyncs;
  private @Nullable FileLock held;

  private FileStorage(Path directory, boolean readOnly) {
    this.directory = directory;
    this.readOnly = readOnly;
    this.slowSyncs =
        new SlowSyncs(System::nanoTime, notice -> log.warn("{}: {}", directory, notice));
  }

  /** A directory to read and write; it is created, durably, where it does not exist. */
  public static FileStorage open(Path directory) throws IOException {
    Path absolute = directory.toAbsolutePath().normalize();
    Path existing = absolute;
    while (existing != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    if (existing != null && !Files.isDirectory(existing)) {
      throw new RefusedException(
          RefusedException.Reason.NOT_A_DIRECTORY,
          existing + " is not a directory; name another data directory");
    }
    Files.createDirectories(absolute);
    for (Path made = absolute; made != null && !made.equals(existing); made = made.getParent()) {
      Path parent = made.getParent();
      if (parent != null) {
        syncDirectory(parent);
      }
    }
    return new FileStorage(absolute, false);
  }

  /** An existing directory, only to look at. */
  public static FileStorage readOnly(Path directory) throws IOException {
    Path absolute = directory.toAbsolutePath().normalize();
    if (!Files.isDirectory(absolute)) {
      throw new RefusedException(
          RefusedException.Reason.NOT_A_DIRECTORY,
          absolute + " is not a directory; name the data directory of a replica");
    }
    return new FileStorage(absolute, true);
  }

  @Override
  public String directory() {
    return directory.toString();
  }

  @Override
  public void lock() throws IOException {
    Path file = directory.resolve(FileNames.LOCK);
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      held = channel.tryLock();
    } catch (OverlappingFileLockException sameProcess) {
      held = null;
    }
    if (held == null) {
      channel.close();
      throw new RefusedException(
          RefusedException.Reason.LOCKED,
          directory + " is used by another process; stop that one, or name another directory");
    }
  }

  @Override
  public List<String> list() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> String.valueOf(file.getFileName())).toList();
    }
  }

  @Override
  public StoredFile create(String name) throws IOException {
    Path file = directory.resolve(name);
    if (Files.exists(file)) {
      throw new FileAlreadyExistsException(file.toString());
    }
    return new RealFile(new RandomAccessFile(file.toFile(), "rw"), slowSyncs);
  }

  @Override
  public StoredFile open(String name) throws IOException {
    Path file = directory.resolve(name);
    if (!Files.exists(file)) { // to be opened for writing, it would be made
      throw new NoSuchFileException(file.toString());
    }
    try {
      return new RealFile(new RandomAccessFile(file.toFile(), readOnly ? "r" : "rw"), slowSyncs);
    } catch (FileNotFoundException e) {
      if (Files.exists(file)) {
        throw e; // also says that a file may not be read
      }
      NoSuchFileException removedMeanwhile = new NoSuchFileException(file.toString());
      removedMeanwhile.initCause(e);
      throw removedMeanwhile;
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(
        directory.resolve(from),
        directory.resolve(to),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void delete(String name) throws IOException {
    Files.delete(directory.resolve(name));
  }

  @Override
  public void sync() throws IOException {
    slowSyncs.time(() -> syncDirectory(directory));
  }

  @Override
  public long syncs() {
    return slowSyncs.count();
  }

  @Override
  public DurationHistogram.Reading syncTimes() {
    return slowSyncs.times();
  }

  private static void syncDirectory(Path directory) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
          channel.force(true);
          return;
        } catch (ClosedByInterruptException notTheDisk) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public long freeBytes() throws IOException {
    return Files.getFileStore(directory).getUsableSpace();
  }

  @Override
  public void close() throws IOException {
    if (held != null) {
      held.channel().close();
      held = null;
    }
  }

  private static final class RealFile implements StoredFile {
    private final RandomAccessFile file;
    private final SlowSyncs slowSyncs;

    RealFile(RandomAccessFile file, SlowSyncs slowSyncs) {
      this.file = file;
      this.slowSyncs = slowSyncs;
    }

    @Override
    public long length() throws IOException {
      return file.length();
    }

    @Override
    public synchronized int read(long position, byte[] bytes, int offset, int length)
        throws IOException {
      file.seek(position);
      int done = 0;
      while (done < length) {
        int count = file.read(bytes, offset + done, length - done);
        if (count < 0) {
          break;
        }
        done += count;
      }
      return done;
    }

    @Override
    public synchronized void write(long position, byte[] bytes, int offset, int length)
        throws IOException {
      file.seek(position);
      file.write(bytes, offset, length);
    }

    @Override
    public synchronized void truncate(long length) throws IOException {
      file.setLength(length);
    }

    @Override
    public void sync() throws IOException {
      slowSyncs.time(file.getFD()::sync);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
