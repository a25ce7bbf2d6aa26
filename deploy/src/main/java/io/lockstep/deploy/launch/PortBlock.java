package io.lockstep.deploy.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A block of TCP ports on loopback that no other block of this machine shares. Its first port is
 * held open for as long as the block lives: that is the lock; the others are free for processes to
 * bind and, after a restart, to bind again. All lie below the range from which Linux takes the
 * ports of outgoing connections (32768), so a connection cannot steal one meanwhile.
 */
public final class PortBlock implements AutoCloseable {
  private static final int FIRST = 20_000;
  private static final int BLOCK = 32;
  private static final int BLOCKS = 390;

  private final ServerSocket lock;

  private PortBlock(ServerSocket lock) {
    this.lock = lock;
  }

  /** Takes a block. */
  public static PortBlock take() {
    int start = ThreadLocalRandom.current().nextInt(BLOCKS);
    for (int i = 0; i < BLOCKS; i++) {
      int base = FIRST + (start + i) % BLOCKS * BLOCK;
      ServerSocket lock = bind(base);
      if (lock != null) {
        if (restIsFree(base)) {
          return new PortBlock(lock);
        }
        close(lock);
      }
    }
    throw new IllegalStateException("no free block of ports from " + FIRST + " on");
  }

  /**
   * A port of the block.
   *
   * @param number 1 to 31
   */
  public int port(int number) {
    if (number < 1 || number >= BLOCK) {
      throw new IllegalArgumentException("port " + number + " of a block of " + BLOCK);
    }
    return lock.getLocalPort() + number;
  }

  private static boolean restIsFree(int base) {
    for (int port = base + 1; port < base + BLOCK; port++) {
      ServerSocket probe = bind(port);
      if (probe == null) {
        return false;
      }
      close(probe);
    }
    return true;
  }

  /** A listener on the port, or null where it is taken. */
  private static @Nullable ServerSocket bind(int port) {
    try {
      ServerSocket socket = new ServerSocket();
      try {
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
      } catch (BindException taken) {
        socket.close();
        return null;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("probing port " + port, e);
    }
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException("closing port " + socket.getLocalPort(), e);
    }
  }

  @Override
  public void close() {
    close(lock);
  }
}
