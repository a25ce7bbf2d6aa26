package io.lockstep.demo.emulate;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A controller that sends the same bytes to each switch, and answers its echo requests. */
final class FakeController implements AutoCloseable {
  /** HELLO of OpenFlow 1.3. */
  static final byte[] HELLO = {4, 0, 0, 8, 0, 0, 0, 1};

  private static final byte ECHO_REQUEST = 2;
  private static final byte ECHO_REPLY = 3;

  private final byte[] greeting;
  private final ServerSocket listener;
  private final List<Socket> switches = new CopyOnWriteArrayList<>();

  /**
   * @param port 0 for any
   */
  FakeController(int port, byte[]... greeting) throws IOException {
    int length = 0;
    for (byte[] each : greeting) {
      length += each.length;
    }
    this.greeting = new byte[length];
    int at = 0;
    for (byte[] each : greeting) {
      System.arraycopy(each, 0, this.greeting, at, each.length);
      at += each.length;
    }
    this.listener = new ServerSocket();
    listener.setReuseAddress(true);
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1024);
    Thread accepting = new Thread(this::accept, "fake-controller");
    accepting.setDaemon(true);
    accepting.start();
  }

  /** A request for the role of master (OpenFlow 1.3.5 section 7.3.9). */
  static byte[] master() {
    byte[] request = new byte[24];
    request[0] = 4;
    request[1] = 24;
    request[3] = 24;
    request[11] = 2;
    return request;
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        switches.add(socket);
        socket.getOutputStream().write(greeting);
        Thread answering = new Thread(() -> answer(socket), "fake-controller-switch");
        answering.setDaemon(true);
        answering.start();
      }
    } catch (IOException closed) {
      // The test is over, or a switch went away.
      switches.forEach(FakeController::close);
    }
  }

  private static void answer(Socket socket) {
    try {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (true) {
        byte[] header = new byte[HELLO.length];
        in.readFully(header);
        in.skipNBytes(((header[2] & 0xff) << 8 | (header[3] & 0xff)) - HELLO.length);
        if (header[1] == ECHO_REQUEST) {
          header[1] = ECHO_REPLY;
          header[2] = 0;
          header[3] = (byte) HELLO.length;
          socket.getOutputStream().write(header);
        }
      }
    } catch (IOException ended) {
      close(socket);
    }
  }

  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort());
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException("closing a switch's connection", e);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    switches.forEach(FakeController::close);
  }
}
