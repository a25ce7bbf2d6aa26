package io.lockstep.store.engine.bftsmart;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Passes bytes on between a port and another one on loopback; while it is cut, it keeps them, as a
 * network that will be mended does. Thread-safe.
 */
final class Relay implements AutoCloseable {
  private final ServerSocket listener;
  private final int target;
  private final List<Socket> open = new ArrayList<>();
  private final AtomicLong there = new AtomicLong();
  private final AtomicLong back = new AtomicLong();
  private boolean cut;
  private boolean closed;

  Relay(int port, int target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
    start("accept", this::accept);
  }

  private static void start(String what, Runnable work) {
    Thread thread = new Thread(work, "relay-" + what);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (true) {
      try {
        Socket from = keep(listener.accept());
        Socket to = keep(new Socket(InetAddress.getLoopbackAddress(), target));
        start("there", () -> pass(from, to, there));
        start("back", () -> pass(to, from, back));
      } catch (IOException e) {
        synchronized (this) {
          if (closed) {
            return;
          }
          // Nobody listens at the target: whoever dialled will see it and dial again.
          open.forEach(Relay::closeQuietly);
          open.clear();
        }
      }
    }
  }

  private synchronized Socket keep(Socket socket) throws IOException {
    open.add(socket);
    socket.setTcpNoDelay(true);
    return socket;
  }

  private void pass(Socket from, Socket to, AtomicLong bytes) {
    byte[] buffer = new byte[1 << 16];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      int count = in.read(buffer);
      while (count >= 0 && awaitMended()) {
        bytes.addAndGet(count);
        out.write(buffer, 0, count);
        count = in.read(buffer);
      }
    } catch (IOException ended) {
      // One end has gone; the other is closed too.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean awaitMended() throws InterruptedException {
    while (cut && !closed) {
      wait();
    }
    return !closed;
  }

  /** How many bytes came from those who dialled. */
  long bytesThere() {
    return there.get();
  }

  /** How many bytes came from the target. */
  long bytesBack() {
    return back.get();
  }

  /** Nothing passes from now on. */
  synchronized void cut() {
    cut = true;
  }

  /** Everything passes again, what was kept first. */
  synchronized void mend() {
    cut = false;
    notifyAll();
  }

  /** Ends all connections; new ones are passed on. */
  synchronized void breakAll() {
    open.forEach(Relay::closeQuietly);
    open.clear();
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      closed = true;
      notifyAll();
      open.forEach(Relay::closeQuietly);
    }
    listener.close();
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is gone either way.
    }
  }
}
