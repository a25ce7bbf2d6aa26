package io.lockstep.core.cluster;

import io.lockstep.keys.LinkFailure;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Reads the lines of a witness connection; keeps half a line over a time-out. Owned by the thread
 * of the connection.
 */
final class WitnessLines {
  /** What no line begins with, but a record of TLS does. */
  private static final int TLS_ALERT = 0x15;

  private static final int TLS_HANDSHAKE = 0x16;

  private final Socket socket;
  private final InputStream in;
  private final byte[] line = new byte[WitnessHello.MAX_LINE_BYTES];
  private int length;

  WitnessLines(Socket socket) throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
  }

  /**
   * The next hello.
   *
   * @param deadlineNanos on the scale of {@link System#nanoTime}, however slowly bytes come
   * @throws SocketTimeoutException where the deadline passes; may be called again
   * @throws EOFException where the other end closed the connection
   * @throws ProtocolException where it is no hello
   */
  WitnessHello next(long deadlineNanos) throws IOException {
    while (true) {
      long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
      if (leftMillis <= 0) {
        throw new SocketTimeoutException("no complete line in time");
      }
      socket.setSoTimeout((int) Math.min(leftMillis, Integer.MAX_VALUE));
      int octet = in.read();
      if (octet < 0) {
        throw new EOFException("closed by the other end");
      }
      if (length == 0 && (octet == TLS_ALERT || octet == TLS_HANDSHAKE)) {
        throw new ProtocolException(LinkFailure.PEER_SPEAKS_TLS);
      }
      if (octet == '\n') {
        return hello();
      }
      if (length == line.length - 1) {
        throw new ProtocolException("a line of more than " + line.length + " bytes");
      }
      line[length++] = (byte) octet;
    }
  }

  private WitnessHello hello() throws ProtocolException {
    String text = new String(line, 0, length, StandardCharsets.US_ASCII);
    length = 0;
    WitnessHello hello = WitnessHello.decode(text);
    if (hello == null) {
      throw new ProtocolException("no hello of this protocol");
    }
    return hello;
  }
}
