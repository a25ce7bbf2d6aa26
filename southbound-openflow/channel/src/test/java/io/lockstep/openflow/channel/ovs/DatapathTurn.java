package io.lockstep.openflow.channel.ovs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Semaphore;

/**
 * The turn to run a switch daemon in user space. Each daemon makes an interface of the fixed name
 * {@code ovs-netdev}, so a second one in the same network namespace makes no bridge until the first
 * has ended, and only logs that. The turn is one for all processes of the machine; the system takes
 * it from a process that ends.
 */
final class DatapathTurn implements AutoCloseable {
  private static final Path FILE = Path.of("/tmp/lockstep-ovs-netdev.lock");

  /** A file is locked for a whole process. */
  private static final Semaphore IN_PROCESS = new Semaphore(1, true);

  private final FileLock lock;

  private DatapathTurn(FileLock lock) {
    this.lock = lock;
  }

  /** Waits for the turn. */
  static DatapathTurn take() {
    IN_PROCESS.acquireUninterruptibly();
    try {
      FileChannel channel =
          FileChannel.open(FILE, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      return new DatapathTurn(channel.lock());
    } catch (IOException e) {
      IN_PROCESS.release();
      throw new UncheckedIOException("cannot lock " + FILE, e);
    }
  }

  /** Gives the turn to the next; once. */
  @Override
  public void close() {
    try (FileChannel channel = lock.channel()) {
      lock.release();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot give " + FILE + " free", e);
    } finally {
      IN_PROCESS.release();
    }
  }
}
