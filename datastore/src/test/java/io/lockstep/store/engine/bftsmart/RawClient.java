package io.lockstep.store.engine.bftsmart;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PushbackInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A peer that keeps to the protocol only as far as a test wants it to. */
final class RawClient implements AutoCloseable {
  private static final int READ_MILLIS = 20_000;

  private final Socket socket = new Socket();
  final DataOutputStream out;
  private final PushbackInputStream in;
  private final DataInputStream data;

  private RawClient(int port, int receiveBytes, byte[] first) throws IOException {
    if (receiveBytes > 0) {
      socket.setReceiveBufferSize(receiveBytes);
    }
    socket.setSoTimeout(READ_MILLIS);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    out = new DataOutputStream(socket.getOutputStream());
    in = new PushbackInputStream(socket.getInputStream());
    data = new DataInputStream(in);
    out.write(first);
  }

  /**
   * Connects and says this at once: the other end waits for a handshake only so long, and making
   * one takes time.
   */
  static RawClient dial(int port, byte[] first) throws IOException {
    return new RawClient(port, 0, first);
  }

  /** One whose machine takes hardly anything that it does not read. */
  static RawClient dialNarrow(int port, byte[] first) throws IOException {
    return new RawClient(port, 4096, first);
  }

  static byte[] frame(Handshake hello) {
    ByteBuf frame = Unpooled.buffer();
    hello.encode(frame);
    return ByteBufUtil.getBytes(frame);
  }

  /** What the other end says of itself; null where it is no handshake. */
  @Nullable Handshake greeting() throws IOException {
    return Handshake.decode(Unpooled.wrappedBuffer(frame()));
  }

  /** The next frame without its length. */
  byte[] frame() throws IOException {
    byte[] frame = new byte[data.readInt()];
    data.readFully(frame);
    return frame;
  }

  /** Tables to follow as a frame. */
  static byte[] frame(FollowFrame tables) {
    ByteBuf frame = Unpooled.buffer();
    tables.encode(frame);
    return ByteBufUtil.getBytes(frame);
  }

  /** The next frame as a hint, which it must be. */
  HintFrame hint() throws IOException {
    return Objects.requireNonNull(HintFrame.decode(Unpooled.wrappedBuffer(frame())));
  }

  /** A request as a frame. */
  static byte[] request(int client, int session, int sequence, byte[] content) {
    ByteBuf frame = Unpooled.buffer();
    frame.writeInt(ClientConnection.HEADER_BYTES + content.length);
    frame.writeInt(client).writeInt(session).writeInt(sequence).writeBytes(content);
    return ByteBufUtil.getBytes(frame);
  }

  /** Whether more comes within a moment. */
  boolean hasMore() throws IOException {
    socket.setSoTimeout(200);
    PushbackInputStream ahead = in;
    try {
      int octet = ahead.read();
      if (octet >= 0) {
        ahead.unread(octet);
      }
      return octet >= 0;
    } catch (SocketTimeoutException nothing) {
      return false;
    } finally {
      socket.setSoTimeout(READ_MILLIS);
    }
  }

  /** Waits for the end of the connection, whatever comes before. */
  void awaitEnd() throws IOException {
    while (data.read() >= 0) {
      // What was sent before the end.
    }
  }

  /** Waits for the end of the connection; false where anything else comes. */
  boolean ended() throws IOException {
    try {
      return in.read() == -1;
    } catch (SocketException reset) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
